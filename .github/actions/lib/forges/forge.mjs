// The port. **A Forge is what one job asks of the place that runs it and reviews its changes**: what is under review, where texts, plans and
// branches are kept, and how to speak there. **An adapter decides how that is named, called and worded on its forge, and where a plan waits
// between its review and its apply**; what is done, in which order, and with which outcome is decided in `steps/`, once for all forges.

import { gitea, isGitea } from './gitea.mjs';
import { github } from './github.mjs';

/**
 * A change under review, or merged: its number, the commit that people know, and whether it comes from a fork or from a user without secrets.
 *
 * @typedef {{ number: number | string, head: string, isForeign: boolean }} Change
 *
 * @typedef {{ id: number, body: string }} Comment
 * @typedef {{ number: number, body: string }} Issue
 *
 * A change that we proposed, or somebody else from the same branch.
 * @typedef {{ number: number, name: string, body: string, state: 'open' | 'closed' | 'merged', base: string, isOwn: boolean }} Proposal
 *
 * A branch against its base: its newest commit, how many commits it adds, the message of the last, and the files that it changes.
 * @typedef {{ sha: string, commits: number, message: string, paths: string[] }} Branch
 *
 * What the user set: texts as they are, lists as words.
 * @typedef {object} Inputs
 * @property {string} stack
 * @property {string} service      the address, as documents have it
 * @property {string[]} manifest   files and folders
 * @property {string} fleet        the fleet file; empty for one stack
 * @property {string[]} options    for the program
 * @property {string} wave         of the fleet; empty for all
 * @property {string} program      the command, or where it is installed
 * @property {boolean} proposes    what drifted is stored for a proposal
 *
 * Where a job keeps what it makes: what the program writes for people, our text for a comment, plans, and what else is handed on.
 * `told` is what `tellPlan` writes.
 * @typedef {Record<'summary' | 'note' | 'plan' | 'plans' | 'list' | 'accepted', string> & { told: string[] }} Files
 *
 * How people speak there. `end` is the end of the text about a plan with this result.
 * @typedef {object} Words
 * @property {string} request      'pull request'
 * @property {string} run          'run'
 * @property {string} link         to this run
 * @property {string} address      where the user sets the address of the service
 * @property {string} stale        what to do about a plan that is out of date
 * @property {string} review       how what is pending gets a review, with the command
 * @property {string} plan         the plan that is applied
 * @property {string} told         where its fingerprint was told: 'in the comment'
 * @property {(result?: string) => string} end
 * @property {(branch: string, applied: string) => string} elsewhere   the same where the change goes to another branch than the one that is applied
 * @property {(why: string) => string} [noJournal]   what to do where the journal cannot be had
 * @property {string} unknownDrift
 *
 * What is known in the job, without a token:
 *
 * @typedef {object} Job
 * @property {Inputs} inputs
 * @property {{ stack: string, service: string }} about   what texts are about
 * @property {Files} files
 * @property {Words} words
 * @property {string} format                   of the program's log
 * @property {{ format: string, path?: string }[]} findings   how `validate` writes: to the log, and to files
 * @property {() => Change | undefined} change what this job was started for
 * @property {() => string} head               the commit that people know
 * @property {string} [commit]                 the commit that is checked out, where the plan of a review is found again
 * @property {string} attempt                  how often the run was started: what an earlier attempt stored may still be there
 * @property {string} [needed]                 what a token must be allowed, where there may be none
 * @property {() => string | undefined} queued   the number of the change that a merge queue would merge, where it is planned there
 * @property {boolean} [needsJournal]          whether the service has objects that only a journal knows
 * @property {() => string} base               the commit to compare with; empty for none
 * @property {() => { branch?: string, applied: string }} target   the branch that the change goes to, and the one that is applied
 * @property {() => boolean} isIdleFork      whether this is a fork in which nobody has named a service
 * @property {boolean} findsPlans              whether the plan of a review is found again after the merge; else the pipeline applies its own
 * @property {boolean} canTell                 whether there is a token
 * @property {(name: string) => string} given  what an earlier step put out; empty for nothing
 * @property {(values: Record<string, unknown>) => void} put
 * @property {(level: 'notice' | 'warning' | 'error', text: string) => void} say
 * @property {(text: string) => void} summarise      shows a text on the page of the run
 * @property {(plan: { fingerprint: string, removals: object, summary?: object }) => void} tellPlan   tells later jobs which plan it is, and what it takes away
 * @property {() => { base: { ref: string, sha: string }, root: string, folder: string, more: string[] }} checkout   what a proposal is made from
 * @property {() => void} [requireSafeEvent]   refuses events that run files of a fork with our secrets
 * @property {() => string | undefined} missing      why nothing can be said about drift that was not stored; undefined where that is normal
 *
 * What is asked of its API:
 *
 * @typedef {object} Calls
 * @property {(number) => Promise<string>} headOf                  the newest commit of a change
 * @property {() => Promise<Change[]>} merged                      the changes whose merge this commit is
 * @property {() => Promise<number | undefined>} lastApply          the job that applied last on the branch that applies, where caches are out of reach
 * @property {(job: number, path: string) => Promise<string | undefined>} keptBy   a file of its artifact; undefined where it is not given
 * @property {() => Promise<Change[]>} cancelled                   those merged before, whose runs were cancelled before their job for the same wave began
 * @property {() => Promise<string | undefined>} newer             why this is not the newest state of its branch
 * @property {(name: string, head: string) => Promise<{ id: number, run: number, name: string }[]>} artifacts   ours, of a commit
 * @property {(run: number) => Promise<boolean>} isPlanning        whether a run is of this workflow, for a change under review
 * @property {(number) => Promise<Comment[]>} comments             those of our own user
 * @property {(number, body: string) => Promise<unknown>} createComment
 * @property {(number, comment: Comment, body: string) => Promise<unknown>} updateComment
 * @property {(number, comment: Comment) => Promise<unknown>} retireComment
 * @property {() => Promise<Issue[]>} openIssues                   those of our own user
 * @property {(title: string, body: string) => Promise<unknown>} createIssue
 * @property {(number, body: string) => Promise<unknown>} updateIssue
 * @property {(number) => Promise<unknown>} closeIssue
 * @property {(number, body: string) => Promise<unknown>} commentIssue
 * @property {(branch: string) => Promise<Proposal[]>} proposals   all from a branch of this repository, whoever opened them
 * @property {(branch: string, base: { sha: string }) => Promise<Branch | undefined>} branchSince
 * @property {(path: string, sha: string) => Promise<string | undefined>} fileAt
 * @property {(branch: string, change: { base, message, files, isThere }) => Promise<unknown>} writeBranch   one commit on the base
 * @property {(proposal: { branch, base, title, body }) => Promise<unknown>} createProposal
 * @property {(number, change: { body, close? }) => Promise<unknown>} updateProposal
 * @property {(branch: string) => Promise<unknown>} deleteBranch
 *
 * @typedef {Job & Calls} Forge
 */

/** The forge of a step of an action. */
export function forgeOfActions(env, step) {
  return (isGitea(env) ? gitea : github)(env, step);
}
