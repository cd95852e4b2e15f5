// Every diagnostic code: title, explanation and usual fix. `docs/errors.md` is generated from this table.

export interface CodeEntry {
  readonly title: string;
  readonly explanation: string;
  readonly fix: string;
}

export const codes = {
  'unknown-field': {
    title: 'Unknown field',
    explanation:
      'The name is not a field of this block. Unknown names are errors so that a typo cannot silently do nothing.',
    fix: 'Correct the spelling, or remove the line. `edgeform explain KIND` lists the fields.',
  },
  'foreign-object': {
    title: 'A foreign object stands in the way',
    explanation: 'An object without this stack’s marker holds a value that must be unique, such as a hostport.',
    fix: 'Take it over with `lifecycle: { adopt: ID }`, or free the value.',
  },
  'api-unreachable': {
    title: 'The service could not be reached',
    explanation: 'No usable answer came back: refused, timed out, or not the API.',
    fix: 'Check the base URL, the network and the proxy settings, then run the command again.',
  },
  'invalid-setting': {
    title: 'A setting is wrong',
    explanation: 'A flag or environment variable was given, and its value cannot be used.',
    fix: 'Correct it as the message says.',
  },
  'missing-setting': {
    title: 'A setting is missing',
    explanation: 'A setting without a default was not given, such as the API key.',
    fix: 'Set the variable or flag that the message names.',
  },
  'api-timeout': {
    title: 'The service did not answer in time',
    explanation:
      'One whole attempt, headers and body, has a deadline, so that a slow or trickling answer cannot hold a run for ever.',
    fix: 'Try again later; check proxies between you and the service.',
  },
  'api-connection-lost': {
    title: 'The connection broke',
    explanation: 'The connection ended before the answer was complete.',
    fix: 'Run the command again; after a write, the next plan shows what was done.',
  },
  'api-not-understood': {
    title: 'The answer is not that of the API',
    explanation:
      'The answer is not JSON, is incomplete, is redirected, or lacks what the specification shows. It is never read as "empty" or "gone".',
    fix: 'Check the base URL and any proxy or login page in between.',
  },
  'api-refused': {
    title: 'The service refused a request',
    explanation: 'The service answered in its own form that it does not do this.',
    fix: 'Read what the service said; correct the manifest or the permissions.',
  },
  'api-key-refused': {
    title: 'The API key is not accepted',
    explanation: 'The service answered that the key is unknown or may not do this.',
    fix: 'Set EDGEFORM_API_KEY to the token of a valid key.',
  },
  'service-throttled': {
    title: 'The service takes no more requests for now',
    explanation:
      'The service answered 429: too many requests. All requests paused and were sent again, until what is left of the run was shorter than the wait. Nothing is done by a request that is turned away.',
    fix: 'Give the run more time with --deadline, lower --concurrency, or run it again later.',
  },
  'service-unhealthy': {
    title: 'The service is not well',
    explanation:
      'So many requests failed or had to be sent again that going on would do harm. Writes that had not been sent are not sent.',
    fix: 'Wait until the service is well, then run the command again: it continues from what is there.',
  },
  'capability-missing': {
    title: 'An assumed operation does not exist',
    explanation: 'The specification does not show this operation and the service does not have it.',
    fix: 'Switch the capability off with EDGEFORM_CAPABILITIES as the message says.',
  },
  'file-too-large': {
    title: 'A file is too large',
    explanation: 'Manifest files are limited to 4 MiB each and 16 MiB in all.',
    fix: 'Split the stack into several files or stacks.',
  },
  'file-unreadable': {
    title: 'A file cannot be read',
    explanation:
      'The path does not exist, is not a regular file, is larger than such a file may be, or is not UTF-8 text.',
    fix: 'Check the path that the message names, its permissions and the encoding of the file.',
  },
  'file-outside-root': {
    title: 'A file lies outside the manifest’s folder',
    explanation:
      '`${file:}` names a file beside the manifest file that it is written in, and reads nothing outside the folder given with -f, also through symbolic links.',
    fix: 'Move the file below that folder.',
  },
  'hidden-character': {
    title: 'A character cannot be seen',
    explanation:
      'Control characters and direction marks can make text read differently from what it says, also when they are written as escapes. Tabs and line breaks are allowed in text that may have several lines.',
    fix: 'Remove the character.',
  },
  'too-deep': {
    title: 'Nested too deeply',
    explanation: 'Manifests are limited to 64 levels.',
    fix: 'Check for unclosed brackets.',
  },
  'too-large': {
    title: 'Too many values, or too large ones',
    explanation:
      'A document is limited to 100,000 values after its aliases are expanded. A text is limited to 4 MiB after its expressions are filled in, and all such texts to 16 MiB.',
    fix: 'Split it, or use fewer aliases, or fewer or smaller variables.',
  },
  'too-many-aliases': {
    title: 'Too many aliases',
    explanation: 'A document may use at most 100 aliases.',
    fix: 'Write the values out.',
  },
  'circular-alias': {
    title: 'An alias refers to itself',
    explanation: 'The alias stands inside the block that it refers to.',
    fix: 'Remove the alias.',
  },
  'empty-file': {
    title: 'The file is empty',
    explanation: 'The file holds nothing, or only comments. That is never read as "delete everything".',
    fix: 'Remove the file, or write a manifest into it.',
  },
  'several-documents': {
    title: 'More than one document',
    explanation: 'A file holds one YAML document.',
    fix: 'Use one file per document.',
  },
  'unknown-tag': {
    title: 'Unknown tag',
    explanation: 'Tags such as `!secret` are not supported and would silently become text.',
    fix: 'Use `"${var.NAME}"` or `"${file:PATH}"`.',
  },
  'yaml-syntax': {
    title: 'Not valid YAML',
    explanation: 'The text does not follow YAML 1.2.',
    fix: 'Correct the line.',
  },
  'duplicate-key': {
    title: 'A key is given twice',
    explanation: 'Of two equal keys one would silently be lost.',
    fix: 'Keep one.',
  },
  'bad-key': {
    title: 'A key cannot be used',
    explanation: 'Keys are text.',
    fix: 'Quote the key, or rename it.',
  },
  'merge-key': {
    title: 'Merge keys are off',
    explanation: '`<<` is not part of YAML 1.2.',
    fix: 'Repeat the fields, or use an alias for a whole block.',
  },
  'bad-number': {
    title: 'A number cannot be kept',
    explanation: 'Infinity, NaN and integers above 2^53 would change when they are sent.',
    fix: 'Quote the value if it is text.',
  },
  'missing-field': {
    title: 'A field is missing',
    explanation: 'The block needs this field.',
    fix: 'Add it.',
  },
  'wrong-type': {
    title: 'Wrong type',
    explanation: 'Values are never converted silently.',
    fix: 'Write the value in the expected type; quote text that looks like a number.',
  },
  'wrong-value': {
    title: 'A value is not allowed',
    explanation: 'The value is not among the allowed ones or does not have the right form.',
    fix: 'Use a value of the expected form.',
  },
  'out-of-range': {
    title: 'Out of range',
    explanation: 'The number is below or above what the service accepts.',
    fix: 'Use a number in the range.',
  },
  'too-long': {
    title: 'Too long',
    explanation: 'Limits are in UTF-8 bytes for most kinds and in characters for event subscriptions.',
    fix: 'Shorten the text.',
  },
  'choose-one': {
    title: 'Exactly one key',
    explanation: 'The block selects one of several alternatives.',
    fix: 'Keep one of its keys.',
  },
  'bad-name': {
    title: 'Not a name',
    explanation: 'Names have letters, digits, _ and -, and do not start with a digit.',
    fix: 'Rename the resource.',
  },
  'rule-broken': {
    title: 'Fields do not fit together',
    explanation: 'A rule of the API across several fields is broken.',
    fix: 'Change the fields as the message says.',
  },
  'bad-expression': {
    title: 'An expression is malformed',
    explanation: 'Expressions are `${kind.name.attr}`, `${var.name}` and `${file:path}`; `$${` is a literal `${`.',
    fix: 'Correct it, or write `$${` for the text itself.',
  },
  'unknown-variable': {
    title: 'Unknown variable',
    explanation: 'Only declared variables can be used and set.',
    fix: 'Declare it under `variables`, or correct the name.',
  },
  'unset-variable': {
    title: 'A variable has no value',
    explanation: 'It has no default and none was given.',
    fix: 'Set the environment variable EDGEFORM_VAR_NAME, or give it with --var-file, or --var when it is no secret.',
  },
  'bad-variable': {
    title: 'A variable’s value cannot be used',
    explanation: 'The value does not fit the field, or holds control characters.',
    fix: 'Correct the value.',
  },
  'unknown-reference': {
    title: 'A reference leads nowhere',
    explanation: 'No resource of the manifest has this address, or the resource has no such value.',
    fix: 'Correct the address or the attribute.',
  },
  'wrong-reference': {
    title: 'A reference of the wrong kind',
    explanation: 'The field takes ids of other kinds.',
    fix: 'Refer to a resource of an accepted kind, or give a literal id.',
  },
  'reference-cycle': {
    title: 'References form a circle',
    explanation: 'Each resource waits for the next, so none can be created.',
    fix: 'Remove one of the links.',
  },
  'secret-in-text': {
    title: 'A secret where there cannot be one',
    explanation:
      'A sensitive variable cannot be used in metadata, numbers, switches, closed sets of values and ids, because a plan shows them.',
    fix: 'Use a variable that is not sensitive.',
  },
  'literal-secret': {
    title: 'A secret is written in the manifest',
    explanation: 'Anyone who can read the file can read the secret.',
    fix: 'Use `"${var.NAME}"` with a variable marked sensitive.',
  },
  'not-unique': {
    title: 'A value is claimed twice',
    explanation: 'Two resources ask for a value that only one can hold.',
    fix: 'Change one of them.',
  },
  'duplicate-address': {
    title: 'An address is given twice',
    explanation: 'Two blocks have the same address.',
    fix: 'Rename or remove one.',
  },
  'stack-mismatch': {
    title: 'Files disagree',
    explanation: 'Files of one stack may repeat `stack` and `version` only with the same value.',
    fix: 'Use one stack per set of files.',
  },
  'bad-lifecycle': {
    title: 'Lifecycle settings do not fit',
    explanation: 'The settings contradict each other.',
    fix: 'Keep one of them.',
  },
  'duplicate-marker': {
    title: 'An object exists twice',
    explanation: 'Two live objects carry the marker of one address; none is chosen by guessing.',
    fix: 'Pin one with `lifecycle: { id: … }`; the plan then deletes the other. From an object that is not the stack’s, remove the marker.',
  },
  'marker-in-metadata': {
    title: 'Metadata holds an ownership marker',
    explanation:
      'The key `edgeform` of a JSON object, and lines that begin with `edgeform/v1 {`, say whose an object is. In your own text they could not be told from the marker that edgeform adds.',
    fix: 'Take the marker out of the text, the variable or the file that it comes from.',
  },
  'broken-marker': {
    title: 'An ownership marker cannot be read',
    explanation:
      'Somebody edited the metadata of an object: its marker is cut off, damaged, there twice, or contradicts itself. The object may belong to the stack, so it is neither taken for nobody’s nor changed. A marker that names the stack stops it until somebody has looked. One that names nobody holds back only the creation of addresses that the object may be: those of its kind, in its place, that have no object yet; where there are none it is a warning. A marker that clearly names another stack is that stack’s matter.',
    fix: 'Restore the marker in the object’s metadata, take the object over with `lifecycle: { adopt: ID }`, or remove from an object of others the key or the line that looks like a marker.',
  },
  'misplaced-marker': {
    title: 'A marker stands where it does not belong',
    explanation:
      'An object carries a marker of the stack whose address is that of another kind, or lies in an object that the stack does not own. Usually somebody copied metadata. The object is nobody’s, and it is left alone.',
    fix: 'Take the marker out of its metadata, or take the object over with `lifecycle: { adopt: ID }`.',
  },
  'moved-conflict': {
    title: 'Old and new address both exist',
    explanation: 'The service has an object with the new address of a `moved` entry and one with the old address.',
    fix: 'Remove the entry to have the old object deleted, or pin the right one with `lifecycle: { id: ID }`.',
  },
  'bad-move': {
    title: 'A rename or release makes no sense',
    explanation:
      'An entry of `moved` or `removed` names no address, an address of another kind, or one that the manifest still has.',
    fix: 'Correct the entry as the message says.',
  },
  'would-not-converge': {
    title: 'The plan would not reach what the manifest asks for',
    explanation:
      'Every plan is tried on a copy of the live state and planned again. This one would leave differences, or break a rule of the service on its way.',
    fix: 'Please report this with the plan; nothing was changed.',
  },
  'unknown-outcome': {
    title: 'It is not known whether an object was created',
    explanation:
      'The answer to a creation was lost, and objects of this kind cannot be listed, so only a person can find out.',
    fix: 'Look the object up and run `edgeform apply --resolve ADDRESS=ID`, or `--resolve ADDRESS=absent`.',
  },
  'kind-not-read': {
    title: 'Objects of a kind cannot be listed',
    explanation:
      'With the capability `https-edge-list` off, edgeform sees only the objects that its journal or `lifecycle.id` names. What it does not see it cannot match or delete.',
    fix: 'Keep the journal between runs, or name the ids with `lifecycle.id`.',
  },
  'secret-sent-again': {
    title: 'An ignored secret is sent from the manifest',
    explanation:
      'A module is sent whole, or an object is made anew, with a secret that `ignore_changes` names and the service does not show. The value in the manifest is sent; a secret that was changed in the service since is lost.',
    fix: 'If the secret was changed in the service, give the new one in the manifest; or leave out the change beside it.',
  },
  'secret-sent-back': {
    title: 'An ignored secret is sent back as the service shows it',
    explanation:
      'A module is sent whole, or an object is made anew, with a secret that `ignore_changes` names. What the service shows is sent back, and it is neither the value in the manifest nor the one that was applied. Somebody may have changed it; or it is a mask that edgeform does not know, and sending it would overwrite the secret.',
    fix: 'If it is a mask, take the path out of `ignore_changes`, so that the value in the manifest is sent.',
  },
  'lists-moving': {
    title: 'Lists change while they are read',
    explanation:
      'Objects come and go between the pages of a list, so an object that exists may have been skipped and would be created again.',
    fix: 'Run the command again when nobody else is at work.',
  },
  'created-twice': {
    title: 'An object was created twice',
    explanation:
      'The API has no locks. Another run of the same stack created the object at the same time, or an answer was lost and the same run created it twice; the later one of the two was deleted again.',
    fix: 'Let only one run at a time apply a stack, then run apply again.',
  },
  'not-listed': {
    title: 'A new object does not appear in the lists',
    explanation:
      'The object was created, but the lists of the service did not show it in time. Whether another run created the same address at the same time cannot be said before they do.',
    fix: 'Run plan later. If the lists of the service are slow, give a longer --settle.',
  },
  'pin-outdated': {
    title: 'A pinned object has been replaced',
    explanation:
      'The object that `lifecycle.id` or `lifecycle.adopt` names is gone or replaced; another one carries the marker.',
    fix: 'Remove the id from the manifest.',
  },
  'pinned-not-found': {
    title: 'A pinned object does not exist',
    explanation: 'No object of the kind has the id under `lifecycle`.',
    fix: 'Correct or remove the id.',
  },
  'metadata-too-long': {
    title: 'Metadata and marker are too long',
    explanation: 'The ownership marker shares the metadata field with your own text.',
    fix: 'Shorten your metadata by as much as the message says.',
  },
  'internal-error': {
    title: 'A mistake in edgeform',
    explanation: 'Something happened that should be impossible.',
    fix: 'Please report it with the message and the command.',
  },
  'secret-held-back': {
    title: 'A file would have held a secret',
    explanation:
      'A file that is read back by edgeform, such as a saved plan, is written as it is or not at all, and a value of it is spelled like a secret of this run.',
    fix: 'Please report it. When the secret is an ordinary word, such as the name of an environment, choose another one.',
  },
  'output-failed': {
    title: 'Output could not be written',
    explanation: 'A file or the standard output could not be written completely.',
    fix: 'Free space or correct the path; what was already done is listed.',
  },
  'same-file': {
    title: 'An output is a file that is in use',
    explanation:
      'A file that the command writes is one that it reads, a token, or another output, if by another path or link.',
    fix: 'Name another file to write. Nothing was written.',
  },
  'bad-usage': {
    title: 'Wrong usage',
    explanation: 'The command line has an unknown or malformed part.',
    fix: 'See `edgeform COMMAND --help`.',
  },
  'value-unknown': {
    title: 'A value is not known',
    explanation:
      'An output or a computed value that was asked for does not exist yet, is not given by the service, or is a secret, which is never shown.',
    fix: 'Apply first when the object does not exist yet; the message says which one.',
  },
  'file-exists': {
    title: 'A file is there already',
    explanation: 'A command that makes new files never writes over one. Nothing was written.',
    fix: 'Move the file away, or choose another directory.',
  },
  'revoke-failed': {
    title: 'A session was not ended',
    explanation: 'The service did not delete the session, or did not say whether it did.',
    fix: 'Read what the service said, then run the command again: a session that is gone counts as ended.',
  },
  'no-consent': {
    title: 'Nobody agreed',
    explanation: 'Writing needs a typed `yes` on a terminal or `--auto-approve`; piped input is never consent.',
    fix: 'Read the plan, then confirm it or give --auto-approve.',
  },
  interrupted: {
    title: 'Ended by a signal',
    explanation: 'SIGINT, SIGTERM or SIGHUP came. Nothing new was started; what was under way had some seconds to end.',
    fix: 'Run the command again: it continues from what is there.',
  },
  'deadline-reached': {
    title: 'Ended by the deadline',
    explanation: 'The time given with --deadline was over. Nothing new was started after that.',
    fix: 'Give more time, or run the command again: it continues from what is there.',
  },
  'not-converged': {
    title: 'Something still differs',
    explanation: 'Every step was done, but reading the live state again still shows differences.',
    fix: 'Run `edgeform plan` to see what differs; the service may keep a value of its own.',
  },
  'delete-budget': {
    title: 'Too many deletions',
    explanation: 'More objects would be deleted or replaced than is allowed without saying so.',
    fix: 'Check the list in the plan; allow it with --allow-deletes.',
  },
  'empty-manifest': {
    title: 'A manifest without resources',
    explanation: 'The stack owns objects and the manifest has none, which is more often a mistake than a wish.',
    fix: 'Run `edgeform destroy` if everything is to go.',
  },
  'empty-list': {
    title: 'A list cannot be trusted',
    explanation:
      'The service lists nothing of a kind that other objects refer to, and shows one of them when it is asked for by its id.',
    fix: 'Run the command again later; check the permissions of the API key.',
  },
  protected: {
    title: 'A protected object would be deleted',
    explanation:
      'A block with `prevent_destroy: true` protects the object, or its own marker does since an earlier apply, under whatever address. A plan that takes the protection off does not also delete or replace the object.',
    fix: 'Set `prevent_destroy: false`, apply that alone, then remove or replace the object.',
  },
  irreplaceable: {
    title: 'Replacing would lose something',
    explanation:
      'A new object cannot stand in for the old one, and a field that cannot be changed differs, or another object says in its marker that it took its place without a journal that proves it.',
    fix: 'Undo the change, name the journal of the run that replaced it with --journal, or allow it with --allow-replace ADDRESS.',
  },
  'adoption-replaces': {
    title: 'An adopted object would be replaced',
    explanation:
      'The object that a block takes over differs in a field that cannot be changed, so that taking it over would delete it, although the stack has never owned it.',
    fix: 'Give the field the value that the object has, list it under `ignore_changes`, or allow the replacement with --allow-replace ADDRESS.',
  },
  'immutable-change': {
    title: 'A replacement is forbidden',
    explanation: 'The resource says `on_immutable_change: refuse`.',
    fix: 'Undo the change, or remove the setting.',
  },
  'value-kept': {
    title: 'Another object of the stack keeps the value',
    explanation:
      'A value that must be unique is asked for, but an object of the stack holds it and is not going to give it up, for example because of `ignore_changes`.',
    fix: 'Take the value away from the other object first.',
  },
  'bad-plan-file': {
    title: 'A saved plan cannot be used',
    explanation:
      'The file is no plan, has a newer format, was changed after it was made, or was made for another stack or service.',
    fix: 'Make the plan anew with `edgeform plan --out FILE`.',
  },
  'stale-plan': {
    title: 'A saved plan is out of date',
    explanation:
      'An object that the plan touches is not what it was when the plan was made, or the manifest is another one. Nothing was changed.',
    fix: 'Make the plan anew, read it, and apply that.',
  },
  'bad-ignore-file': {
    title: 'The list of ignored findings cannot be used',
    explanation: 'Every entry names what it ignores, why, and until when.',
    fix: 'Write `ignore: [{ fingerprint: …, reason: …, expires: YYYY-MM-DD }]`.',
  },
  'ignore-expired': {
    title: 'An ignored finding has expired',
    explanation: 'An entry of the ignore file is past its date, so that nothing is ignored for ever.',
    fix: 'Put the finding right and remove the entry, or give it a new date.',
  },
  'ignore-unused': {
    title: 'An entry of the ignore file fits nothing',
    explanation: 'No finding of this run is what the entry ignores.',
    fix: 'Remove the entry.',
  },
  'release-inside': {
    title: 'What would be released lies in an object that goes',
    explanation:
      'An entry of `removed` with `destroy: false` keeps an object, but the plan deletes or replaces the one that it lies in, and with that it would be gone.',
    fix: 'Release the outer object, too, or keep it as it is.',
  },
  'still-referenced': {
    title: 'Something still refers to what would be deleted',
    explanation:
      'An object that stays, of this stack by a literal id or of somebody else, refers to one that the plan deletes.',
    fix: 'Change the object that refers to it first, or keep the other.',
  },
  'circular-order': {
    title: 'Steps wait for each other',
    explanation:
      'Each of several objects takes a unique value that another still holds, and none of them can let go of it first.',
    fix: 'Remove the value from one of them, apply, and add it again.',
  },
  'nothing-to-export': {
    title: 'The stack owns nothing',
    explanation: 'No live object carries the marker of the stack that was to be exported.',
    fix: 'Check the name of the stack; `edgeform export --unmanaged` exports what nobody owns.',
  },
  'not-exported': {
    title: 'Objects were left out of an export',
    explanation: 'Some objects cannot be written as resources, for example because another stack owns them.',
    fix: 'Read the comments at the end of the exported file: each object is listed with the reason.',
  },
  'stack-in-use': {
    title: 'The stack of an export owns more',
    explanation:
      'The exported manifest names a stack that owns objects which the manifest does not hold; a plan of it alone would ask for their deletion.',
    fix: 'Add the exported blocks to the manifest of that stack, or choose another name with --name.',
  },
  'journal-damaged': {
    title: 'The journal cannot be trusted',
    explanation:
      'The file that records writes is not as it was written, or a newer version wrote it. It is never read as empty, because it may name a write whose outcome nobody knows.',
    fix: 'Look in it for an `intent` without an `outcome` and check that object by hand; then move the file away. The next run finds the objects of the stack by their markers.',
  },
  'journal-torn': {
    title: 'The last line of the journal is incomplete',
    explanation:
      'An earlier run ended while it wrote the line. What the line announces was not sent, because a write is sent only after its line is complete.',
    fix: 'Nothing; the file is put in order by this run.',
  },
  'journal-locked': {
    title: 'Another run uses the journal',
    explanation:
      'One run at a time writes for a stack. The lock of a process that has ended on the same machine is taken over; of others nobody can tell.',
    fix: 'Wait until the other run has ended; if it is certain that it has, remove the file that the message names.',
  },
  'journal-mismatch': {
    title: 'The journal is about something else',
    explanation: 'The file records writes of another stack, or to another service.',
    fix: 'Name another file with `--journal FILE`.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof codes;
