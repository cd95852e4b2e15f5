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
    title: 'A foreign object holds a unique value',
    explanation:
      'The manifest claims a value that must be unique, such as a hostport. An object that this stack does not own already holds it.',
    fix: 'Where the address has no object yet, adopt the object with `lifecycle: { adopt: ID }`. Otherwise use another value, or make that object release it.',
  },
  'api-unreachable': {
    title: 'The service could not be reached',
    explanation: 'The connection was refused or timed out, or the answer did not come from the API.',
    fix: 'Check the base URL, the network and the proxy settings, then run the command again.',
  },
  'invalid-setting': {
    title: 'A setting is wrong',
    explanation: 'The value of a flag or environment variable cannot be used.',
    fix: 'Correct it as the message says.',
  },
  'base-unreadable': {
    title: 'A plan could not be compared with a revision',
    explanation:
      'The manifest of the revision of `--base` cannot be read or planned. The plan itself is whole; it only does not say which of its steps are new.',
    fix: 'Do what the message says, or compare with another revision.',
  },
  'missing-setting': {
    title: 'A setting is missing',
    explanation: 'A setting that has no default, such as the API key, was not given.',
    fix: 'Set the variable or flag that the message names.',
  },
  'api-timeout': {
    title: 'The service did not answer in time',
    explanation:
      'Each attempt, including headers and body, has a time limit, so that a slow answer cannot block a run forever.',
    fix: 'Try again later; check proxies between you and the service.',
  },
  'api-connection-lost': {
    title: 'The connection was lost',
    explanation: 'The connection ended before the answer was complete.',
    fix: 'Run the command again. If a write was in flight, the next plan shows whether it was carried out.',
  },
  'api-not-understood': {
    title: 'The answer did not come from the API',
    explanation:
      'The answer is not JSON, is incomplete, is a redirect, or lacks fields that the specification requires. Such an answer is never read as "empty" or "deleted".',
    fix: 'Check the base URL and any proxy or login page in front of the service.',
  },
  'api-refused': {
    title: 'The service rejected a request',
    explanation: 'The service returned an error in the form of the API.',
    fix: 'Read the service’s message, then correct the manifest or the permissions.',
  },
  'api-key-refused': {
    title: 'The API key is not accepted',
    explanation: 'The service answered that the key is unknown or lacks the permission.',
    fix: 'Set EDGEFORM_API_KEY to the token of a valid key.',
  },
  'own-key-deleted': {
    title: 'The run deleted its own API key',
    explanation:
      'API keys are deleted after everything else. The run deleted one, and afterwards the service no longer accepted the key that the run itself uses, so that the rest could not be checked.',
    fix: 'Set EDGEFORM_API_KEY to the token of another valid key, then run plan.',
  },
  'service-throttled': {
    title: 'The service throttled the run',
    explanation:
      'The service answered 429 (too many requests). All requests paused and were sent again, until the wait was longer than the time left before the deadline of the run. A run without --deadline waits as long as the service says. A throttled request changes nothing.',
    fix: 'Give the run more time with --deadline, lower --concurrency, or run it again later.',
  },
  'service-unhealthy': {
    title: 'The service is unhealthy',
    explanation:
      'Too many requests failed or had to be retried, so the run stopped. Writes that had not been sent were not sent.',
    fix: 'Wait until the service is healthy, then run the command again. It continues from the current state.',
  },
  'capability-missing': {
    title: 'An assumed operation does not exist',
    explanation: 'The specification does not document this operation, and the service does not have it.',
    fix: 'Switch the capability off with EDGEFORM_CAPABILITIES, as the message says.',
  },
  'file-too-large': {
    title: 'A file is too large',
    explanation: 'Manifest files are limited to 4 MiB each and 16 MiB in all.',
    fix: 'Split the stack into several files or stacks.',
  },
  'file-unreadable': {
    title: 'A file cannot be read',
    explanation: 'The path does not exist, is not a regular file, is too large, or is not UTF-8 text.',
    fix: 'Check the path that the message names, its permissions and the encoding of the file.',
  },
  'file-outside-root': {
    title: 'A file is outside the manifest’s folder',
    explanation:
      '`${file:}` takes a path relative to the manifest file that contains it. It reads nothing outside the folder given with -f, not even through symbolic links. A link in such a folder, or a default manifest that is a link, is not followed out of it either.',
    fix: 'Move the file below that folder, or name a manifest file with -f of its own.',
  },
  'hidden-character': {
    title: 'An invisible character',
    explanation:
      'Control characters and direction marks can make text look different from what it is, even when they are written as escapes. Tabs and line breaks are allowed in text that may have several lines.',
    fix: 'Remove the character.',
  },
  'too-deep': {
    title: 'Nested too deeply',
    explanation: 'Files are limited to 64 levels.',
    fix: 'Check for unclosed brackets.',
  },
  'too-large': {
    title: 'Too many values, or values that are too large',
    explanation:
      'The aliases of a file may stand for 100,000 values in all, and 64 levels. All texts together are limited to 16 MiB after their expressions are filled in.',
    fix: 'Split the document, or use fewer aliases, or fewer or smaller variables.',
  },
  'too-many-aliases': {
    title: 'Too many aliases',
    explanation: 'A document may use at most 100 aliases.',
    fix: 'Write the values out.',
  },
  'circular-alias': {
    title: 'An alias refers to itself',
    explanation: 'The alias is inside the block that it refers to.',
    fix: 'Remove the alias.',
  },
  'empty-file': {
    title: 'The file is empty',
    explanation: 'The file is empty or has only comments. This is never read as "delete everything".',
    fix: 'Remove the file, or write a manifest into it.',
  },
  'several-documents': {
    title: 'More than one document',
    explanation: 'A file may contain only one YAML document.',
    fix: 'Use one file per document.',
  },
  'unknown-tag': {
    title: 'Unknown tag',
    explanation: 'Tags such as `!secret` are not supported. They would silently become text.',
    fix: 'Use `"${var.NAME}"` or `"${file:PATH}"`.',
  },
  'yaml-syntax': {
    title: 'Not valid YAML',
    explanation: 'The text does not follow YAML 1.2.',
    fix: 'Correct the line.',
  },
  'duplicate-key': {
    title: 'A key is given twice',
    explanation: 'If a key appears twice, one of its values would be lost silently.',
    fix: 'Keep one.',
  },
  'bad-key': { title: 'A key cannot be used', explanation: 'Keys must be text.', fix: 'Quote the key, or rename it.' },
  'merge-key': {
    title: 'Merge keys are not supported',
    explanation: '`<<` is not part of YAML 1.2.',
    fix: 'Put the shared fields into a block NAME under `presets`, and write `preset: NAME` in each block that uses them.',
  },
  'bad-number': {
    title: 'A number cannot be represented',
    explanation: 'Infinity, NaN and integers above 2^53 would change when they are sent.',
    fix: 'Quote the value if it is text.',
  },
  'missing-field': { title: 'A field is missing', explanation: 'The block needs this field.', fix: 'Add it.' },
  'wrong-type': {
    title: 'Wrong type',
    explanation: 'Values are never converted silently.',
    fix: 'Write the value in the expected type; quote text that looks like a number.',
  },
  'wrong-value': {
    title: 'A value is not allowed',
    explanation: 'The value is not one of the allowed values, or does not have the expected form.',
    fix: 'Use a value of the expected form.',
  },
  'out-of-range': {
    title: 'Out of range',
    explanation: 'The number is outside the range that the service accepts.',
    fix: 'Use a number within the range.',
  },
  'too-long': {
    title: 'Too long',
    explanation: 'Limits are in UTF-8 bytes for most kinds and in characters for event subscriptions.',
    fix: 'Shorten the text.',
  },
  'choose-one': {
    title: 'Exactly one key is needed',
    explanation: 'The block selects one of several alternatives.',
    fix: 'Keep one of its keys.',
  },
  'bad-name': {
    title: 'Not a valid name',
    explanation: 'Names consist of letters, digits, _ and -, and do not start with a digit.',
    fix: 'Rename the resource.',
  },
  'rule-broken': {
    title: 'Fields contradict each other',
    explanation: 'The fields break a rule of the API.',
    fix: 'Change the fields as the message says.',
  },
  'bad-expression': {
    title: 'An expression is malformed',
    explanation:
      'Expressions are `${kind.name.attr}`, `${imports.name.attr}`, `${var.name}` and `${file:path}`; `$${` is a literal `${`.',
    fix: 'Correct it, or write `$${` for the text itself.',
  },
  'unknown-variable': {
    title: 'Unknown variable',
    explanation: 'Only declared variables can be used or set.',
    fix: 'Declare it under `variables`, or correct the name.',
  },
  'unset-variable': {
    title: 'A variable has no value',
    explanation:
      'The variable has no default, and no value was given; or an entry of a fleet names an environment variable for it that is not set, or is empty.',
    fix: 'Set the environment variable EDGEFORM_VAR_NAME, or give it with --var-file, or with --var if it is not a secret. In a fleet, name an environment variable under `variables_env` of the entry.',
  },
  'bad-variable': {
    title: 'A variable’s value cannot be used',
    explanation: 'The value does not fit the field, or holds control characters.',
    fix: 'Correct the value.',
  },
  'unknown-reference': {
    title: 'A reference cannot be resolved',
    explanation: 'No resource of the manifest has this address, or the resource has no such value.',
    fix: 'Correct the address or the attribute.',
  },
  'wrong-reference': {
    title: 'A reference to the wrong kind',
    explanation: 'The field takes ids of other kinds.',
    fix: 'Refer to a resource of an accepted kind, or give a literal id.',
  },
  'name-not-read': {
    title: 'A name in the environment that nothing reads',
    explanation:
      'The environment sets a name that begins with `EDGEFORM_`, that nothing reads, and that is almost one that is read and not set: a setting, or `EDGEFORM_VAR_` and the name of a variable of the manifest.',
    fix: 'Correct the name.',
  },
  'other-format': {
    title: 'A file of another tool',
    explanation:
      'The file has no `stack`, and its keys are those of a Kubernetes object, a Compose file, a fleet file or the like.',
    fix: 'Name the manifest with `-f PATH`.',
  },
  'doubtful-value': {
    title: 'A value was probably meant otherwise',
    explanation:
      'The value is accepted, but it means something that few people want: a selector without a slash is a host, a URL without a scheme names no server, and an id with the prefix of another kind is an id of that kind.',
    fix: 'Write the value as the message says, or leave it if it is what you mean.',
  },
  'reference-cycle': {
    title: 'References form a cycle',
    explanation: 'Each resource depends on the next, so none of them can be created first.',
    fix: 'Remove one of the references.',
  },
  'bad-import': {
    title: 'An import is not possible',
    explanation:
      'An import is found either by `stack` and `address`, the marker that another stack wrote, or by `kind` and `id`. What belongs to the stack itself needs no import.',
    fix: 'Correct the entry as the message says.',
  },
  'import-changed': {
    title: 'An imported object changed during the run',
    explanation:
      'Right before a value of an import is sent, the imported object is read again, unless that was done in the last seconds. Its value is no longer the one that the plan was made with, or the object is gone, so nothing was sent for the step, and what waits for it is blocked.',
    fix: 'Plan again: the plan shows what the import has now, or why it cannot be used.',
  },
  'import-missing': {
    title: 'An imported object does not exist',
    explanation:
      'No object has the id, or carries the marker of the stack and address, that the import names; or it lacks a value that is referred to. What depends on it cannot be planned, so nothing is changed.',
    fix: 'Apply the other stack first, or correct the import.',
  },
  'import-doubled': {
    title: 'An imported object exists twice',
    explanation:
      'Several objects carry the marker of the stack and address that the import names. edgeform does not guess which one is right.',
    fix: 'Apply the other stack, which says how to solve it, or import one of the objects by its id.',
  },
  'import-own': {
    title: 'An import of the stack’s own object',
    explanation:
      'The imported id is that of an object which this stack owns. Only a plain reference is ordered with its steps.',
    fix: 'Remove the import, and refer to the resource as `${kind.name.attr}`.',
  },
  'bad-fleet': {
    title: 'An entry of a fleet cannot be used',
    explanation:
      'An entry of a fleet file is one stack with a `name` and a `path`, or one stack for `each` match of a pattern. Names are unique, and so are stacks: journals are named after them.',
    fix: 'Correct the entry as the message says.',
  },
  'later-wave': {
    title: 'What a stack needs comes from a later wave',
    explanation:
      'A wave begins when every stack of those before it ended well. What a stack imports therefore has to be in its own wave or in an earlier one, and so has a stack that gives up a value, or releases an object, which it claims.',
    fix: 'Change `wave` of one of the two entries. A value or an object can also be given up in one run, and taken in the next.',
  },
  'foreign-credential': {
    title: 'A fleet file names a credential that it may not use',
    explanation:
      'A fleet file names environment variables, and only EDGEFORM_BASE_URL, EDGEFORM_API_KEY and those listed in EDGEFORM_FLEET_CREDENTIALS. Otherwise a change of the file could send any secret of the environment to any service. `variables_env` names none of these: values of variables are sent.',
    fix: 'List the variable in EDGEFORM_FLEET_CREDENTIALS (comma-separated), in the environment of the command.',
  },
  'import-cycle': {
    title: 'Stacks import from each other in a circle',
    explanation:
      'Stacks are planned and applied one after the other, the importing one last, so none of these could be the first.',
    fix: 'Remove one of the imports, or move the resources that need each other into one stack.',
  },
  'secret-in-text': {
    title: 'A secret is not allowed here',
    explanation:
      'A sensitive variable cannot be used for metadata, numbers, booleans, fixed sets of values or ids, because a plan shows these values.',
    fix: 'Use a variable that is not sensitive.',
  },
  'literal-secret': {
    title: 'A secret is written in the manifest',
    explanation:
      'Anyone who can read the file can read the secret. The default of a variable is in the file, too, whether the variable or only a field that uses it says that it is secret. `render` refuses such a manifest.',
    fix: 'Use `"${var.NAME}"` with a variable marked sensitive, and give its value from outside.',
  },
  'not-unique': {
    title: 'A value is claimed twice',
    explanation: 'Two resources claim a value that only one of them can hold.',
    fix: 'Change one of them.',
  },
  'bad-preset': {
    title: 'A preset is not a part of a block',
    explanation:
      'A preset is a map of fields, as they stand in the block of a resource or a route. It uses no other preset, drops nothing, and takes no parameter.',
    fix: 'Write the fields below its name. A block can use several presets: preset: [FIRST, SECOND].',
  },
  'unknown-preset': {
    title: 'A block uses a preset that does not exist',
    explanation: 'The name after preset: is under presets: of no file of this stack, nor of an overlay.',
    fix: 'Correct the name, give the preset, or remove the line.',
  },
  'unused-preset': {
    title: 'No block uses a preset',
    explanation: 'A preset that is not used has no effect.',
    fix: 'Use it, move it under `add:` of the overlay that uses it, or remove it.',
  },
  'bad-without': {
    title: 'A path under without: drops nothing',
    explanation:
      'without: drops what lies below a block: a part of its presets, or, in an overlay, of the manifest. A path that names nothing there is probably misspelled, is there twice, or lies below another one that drops it.',
    fix: 'Name a path that is there, as in ignore_changes, or remove it.',
  },
  'overlay-stack': {
    title: 'An overlay without a stack of its own',
    explanation:
      'An environment is a stack. An overlay that leaves the name of the stack as it is changes the objects of that stack: with the overlay of staging, production would get the host names of staging, and the next apply without it would take them back. Either an overlay says `stack:`, also the same name again if that stack is meant, or the `stack` of the manifest holds a variable.',
    fix: 'Write the name of the stack first in the overlay: `stack: shop-staging`.',
  },
  'overlay-adds': {
    title: 'An overlay changes what is not there',
    explanation:
      'An overlay changes what the manifest has; what it adds stands under `add:`. A resource, route, preset, variable, import or output that the manifest lacks, also because the overlay drops it, may be a name that is misspelled: then the one that was meant would stay as it is, and another one would be created beside it.',
    fix: 'Correct the name, or move the entry under `add:`, which has the shape of a manifest.',
  },
  'overlay-repeats': {
    title: 'An overlay adds what is there',
    explanation:
      'What stands under `add:` of an overlay is new. There, a block that the manifest has may be named only to reach its children, such as the routes of an edge.',
    fix: 'Move the entry out of `add:`, where it changes what is there, or choose another name.',
  },
  'overlay-sensitive': {
    title: 'An overlay takes `sensitive` away from a variable',
    explanation:
      'A variable that is sensitive in the manifest, or in an overlay below, stays so. Otherwise one line of an overlay would show a secret in every plan and message.',
    fix: 'Write `sensitive: true`, or leave it out where the overlay changes the variable.',
  },
  'too-many-uses': {
    title: 'Presets are used too often',
    explanation: 'The blocks of one stack use presets at most 10,000 times, and these bring at most 16 MiB.',
    fix: 'Split the stack, or make smaller presets.',
  },
  'duplicate-address': {
    title: 'An address is given twice',
    explanation: 'Two resources have the same address.',
    fix: 'Rename or remove one; a file that only changes another is given with `--overlay`.',
  },
  'stack-mismatch': {
    title: 'Files disagree',
    explanation:
      'Files of one stack may repeat `stack` and `version`, but only with the same values. An entry of a fleet that names its `stack` needs a manifest of that stack.',
    fix: 'Use one stack per set of files, and correct the name where it is wrong.',
  },
  'bad-lifecycle': {
    title: 'Lifecycle settings contradict each other',
    explanation:
      'Two settings under `lifecycle` cannot be used together, or two blocks name the same object, in one stack or in two stacks of a fleet.',
    fix: 'Keep one of them.',
  },
  'duplicate-marker': {
    title: 'An object exists twice',
    explanation: 'Several live objects carry the marker of one address. edgeform does not guess which one is right.',
    fix: 'Pin the right one with `lifecycle: { id: … }`; the plan then deletes the others. If an object does not belong to the stack, remove the marker from its metadata.',
  },
  'marker-in-metadata': {
    title: 'Metadata holds an ownership marker',
    explanation:
      'The key `edgeform` of a JSON object, and lines that begin with `edgeform/v1 {`, record which stack owns an object. In your own text they could not be distinguished from the marker that edgeform adds.',
    fix: 'Remove the marker from the text, variable or file that it comes from.',
  },
  'broken-marker': {
    title: 'An ownership marker cannot be read',
    explanation:
      'The metadata of an object was edited: its marker is truncated, damaged, duplicated or inconsistent. The object is left alone. It is an error when the text still names this stack or a journal knows the object, and else a warning.',
    fix: 'Restore the marker in the object’s metadata, or adopt the object with `lifecycle: { adopt: ID }`. If the object does not belong to the stack, remove the key or line that looks like a marker.',
  },
  'misplaced-marker': {
    title: 'A marker is on the wrong object',
    explanation:
      'An object carries a marker of the stack, but the marker’s address is of another kind, or the object’s parent is not owned by the stack. Usually metadata was copied. The object counts as unowned and is left alone.',
    fix: 'Remove the marker from its metadata, or adopt the object with `lifecycle: { adopt: ID }`.',
  },
  'bad-known': {
    title: 'A line of known findings is not valid',
    explanation: 'The file of `drift --known` has one fingerprint a line; a line that begins with `#` is a comment.',
    fix: 'Copy the fingerprint from the output of `drift`, or put `#` in front of a comment.',
  },
  'not-accepted': {
    title: 'Drift that cannot be accepted',
    explanation:
      'drift --accept was asked to write a live value into the manifest, and the manifest has no place of its own for it: it stands in a preset, a variable or a file of several environments, is a secret, or something else is in the way. The message says which.',
    fix: 'Change the manifest by hand at the place named, or let apply put the value of the manifest back.',
  },
  'unused-known': {
    title: 'A known finding does not exist',
    explanation:
      'The file of `drift --known` names a fingerprint that no finding has. The finding is gone, or its values changed, which gives it another fingerprint.',
    fix: 'Remove the line, or replace it by the fingerprint of the finding as it is now.',
  },
  'foreign-child': {
    title: 'An object of the stack has a child that is not in the manifest',
    explanation:
      'Somebody added a child, such as a route, to an object that the stack owns. The manifest does not have it, and its marker, if it has one, is not that of the stack in its place; no other stack can own what is inside this object. `drift` reports it; apply leaves it, unless its parent is exclusive and it has no marker.',
    fix: 'Adopt it with the block that the message prints, delete it, or let apply delete such children with `lifecycle: { exclusive: true }` in the block of the parent. Where it has a marker, remove the text of the marker from its metadata first.',
  },
  'moved-conflict': {
    title: 'The old and the new address both exist',
    explanation:
      'For a `moved` entry within the stack, the service has one object with the old address and another one with the new address; or several objects of other stacks come to one address.',
    fix: 'Remove the entry, or pin the right one with `lifecycle: { id: ID }`: without the entry, an old object of this stack is deleted, and one of another stack stays there.',
  },
  'forgotten-move': {
    title: 'A rename without `moved` loses its object',
    explanation:
      'A block is gone, and a new one of the same kind has the same unique value or the same fields. Without an entry of `moved`, the object is deleted and another one is created: its id, and what cannot be had again, is lost.',
    fix: 'If it was renamed, add the entry that the message shows to `moved`.',
  },
  'stack-renamed': {
    title: 'The stack seems to have been renamed',
    explanation:
      'Most of the manifest would be created, although another stack has objects at these addresses. After a change of `stack:`, the objects still carry the old name.',
    fix: 'If the stack was renamed, add `moved: [{ from: { stack: OLD } }]`. If both stacks stay, there is nothing to do.',
  },
  'move-matches-nothing': {
    title: 'An entry of `moved` moves nothing',
    explanation:
      'No object has the old address, and none has the new one either, although the stack owns others: the entry is probably mistyped, and the object would be created anew. `validate`, which reads no service, warns when the manifest has no resource at the new address; a plan makes that an error (`bad-move`) while an object has the old one, and says nothing once its work is done.',
    fix: 'Correct the entry, or remove it if the object is new or gone.',
  },
  'child-left-behind': {
    title: 'A child stays with another stack',
    explanation:
      'A `moved` entry brings an object from another stack, and the manifest has no block for a child inside it. The child is neither moved nor deleted.',
    fix: 'Add a block for the child, apply, and then remove the block if it should go.',
  },
  'left-to-taker': {
    title: 'An object is not destroyed, because another stack takes it',
    explanation:
      'The stack is destroyed, and an entry of `moved` in another stack of the fleet takes this object from it. It stays as it is, also when that stack is destroyed in the same run, which does not own it yet.',
    fix: 'Run `edgeform fleet apply`, which moves it. If it is to go, remove the entry, and destroy again.',
  },
  'move-replaces': {
    title: 'An object from another stack would be replaced',
    explanation:
      'A `moved` entry brings an object from another stack, and its block has another value for a field that cannot be changed. Moving an object never deletes it, so the plan is refused.',
    fix: 'Give the block the values that the object has and apply; change them after the move.',
  },
  'move-protection': {
    title: 'A protected object moves without a word on its protection',
    explanation:
      'A `moved` entry brings an object from another stack where `prevent_destroy` protects it, and its new block does not say whether it stays protected.',
    fix: 'Add `lifecycle: { prevent_destroy: true }` to the block, or `false` to end the protection.',
  },
  'bad-move': {
    title: 'A rename or release is not possible',
    explanation:
      'An entry of `moved` or `removed` contains something that is not an address, an address of another kind, or an address that is still in the manifest; or an object has the old address, and the manifest has no resource at the new one.',
    fix: 'Correct the entry as the message says.',
  },
  'would-not-converge': {
    title: 'The plan would not reach the desired state',
    explanation:
      'Every plan is carried out on a copy of the live state first (a dry run). This plan would leave differences, or break a rule of the service along the way.',
    fix: 'Please report this, with the plan. Nothing was changed.',
  },
  'unknown-outcome': {
    title: 'It is not known whether an object was created',
    explanation:
      'The answer to a creation was lost, and objects of this kind cannot be listed, so edgeform cannot find out.',
    fix: 'Look for the object at the service, then run `edgeform apply --resolve ADDRESS=ID`, or `--resolve ADDRESS=absent`.',
  },
  'kind-not-read': {
    title: 'Objects of a kind cannot be listed',
    explanation:
      'With the capability `https-edge-list` off, edgeform sees only the objects that its journal or `lifecycle.id` names. It cannot match or delete other objects.',
    fix: 'Keep the journal between runs, or set the ids with `lifecycle.id`.',
  },
  'lists-moving': {
    title: 'Lists changed while they were read',
    explanation:
      'Objects were created or deleted while the pages of a list were read. An existing object may have been skipped and would be created again.',
    fix: 'Run the command again when no other changes are being made.',
  },
  'created-twice': {
    title: 'An object was created twice',
    explanation:
      'The API has no locks. Another run of the same stack created the object at the same time, or an answer was lost and the same run created it twice. One of the two was deleted again.',
    fix: 'Make sure that only one run at a time applies a stack, then plan and apply again.',
  },
  'changed-in-part': {
    title: 'An object was changed only in part',
    explanation:
      'A step with several requests ended after some of them had been accepted. Their changes are live, the others are missing. For example, a route whose sign-in was being replaced may have none.',
    fix: 'Fix what stopped the step, then run apply again at once. It continues from here.',
  },
  'not-listed': {
    title: 'A new object does not appear in the lists',
    explanation:
      'The object was created, but it did not appear in the lists of the service in time. Until it does, edgeform cannot tell whether another run created the same address.',
    fix: 'Run plan later. If the lists of the service are slow, set a longer --settle.',
  },
  'pin-outdated': {
    title: 'A pinned object has been replaced',
    explanation:
      'The object that `lifecycle.id` or `lifecycle.adopt` names was deleted or replaced. Another object carries the marker now.',
    fix: 'Remove the id from the manifest.',
  },
  'address-occupied': {
    title: 'An address has another object already',
    explanation:
      'The block asks to adopt an object, but the stack has another one at its address. An object is adopted only at an address that has none: the plan would have to delete the other one.',
    fix: 'Remove `adopt` from the block, or adopt the object under an address of its own.',
  },
  'pinned-not-found': {
    title: 'A pinned object does not exist',
    explanation: 'No object of this kind has the id that `lifecycle` names.',
    fix: 'Correct or remove the id.',
  },
  'metadata-too-long': {
    title: 'Metadata and marker are too long',
    explanation: 'The ownership marker and your own text share the metadata field, which is limited in length.',
    fix: 'Shorten your metadata by the length that the message gives.',
  },
  'internal-error': {
    title: 'An internal error of edgeform',
    explanation: 'Something happened that should be impossible.',
    fix: 'Please report it with the message and the command.',
  },
  'secret-held-back': {
    title: 'A file would have contained a secret',
    explanation:
      'edgeform reads some of its files back, such as a saved plan, so it cannot mask values in them. A value in this file equals a secret of this run, so the file was not written.',
    fix: 'If the secret is an ordinary word, such as the name of an environment, choose another one. Otherwise, please report this.',
  },
  'output-failed': {
    title: 'Output could not be written',
    explanation: 'A file or the standard output could not be written completely.',
    fix: 'Free some space or correct the path. The message lists what was already done.',
  },
  'token-file-left': {
    title: 'The token of a deleted API key is still in its file',
    explanation:
      'The run deleted an API key whose token is in a file of `--token-dir`. The token no longer works, and the file is in the way of a new key with this address.',
    fix: 'Remove the file.',
  },
  'token-file-taken': {
    title: 'A token has no free file name',
    explanation:
      'A key would be created, and the file for its token already exists. Only the replacement of a key overwrites its token file. The plan warns, and apply stops before any write.',
    fix: 'Move the old file away if nothing uses its token, or choose another directory with --token-dir.',
  },
  'same-file': {
    title: 'An output file is already in use',
    explanation:
      'A file that the command would write is also one of its inputs, a token file or another output, possibly through another path or a link.',
    fix: 'Choose another output file. Nothing was written.',
  },
  'bad-usage': {
    title: 'Wrong usage',
    explanation: 'The command line has an unknown or malformed part.',
    fix: 'See `edgeform COMMAND --help`.',
  },
  'value-unknown': {
    title: 'A value is not known',
    explanation:
      'The requested output or computed value does not exist yet, is not returned by the service, or is a secret, which is never shown.',
    fix: 'If the object does not exist yet, run apply first. The message names the object.',
  },
  'file-exists': {
    title: 'A file already exists',
    explanation: 'A command that creates files never overwrites one. Nothing was written.',
    fix: 'Move the file, or choose another directory.',
  },
  'revoke-failed': {
    title: 'A session was not revoked',
    explanation: 'The service did not delete the session, or its answer was lost.',
    fix: 'Read the service’s message, then run the command again with the sessions that are left. One that ended after the command had listed it counts as revoked.',
  },
  'no-consent': {
    title: 'Not confirmed',
    explanation: 'Changes need a `yes` typed at a terminal, or `--auto-approve`. Piped input is not accepted.',
    fix: 'Read the plan, then confirm it, or run the command again with --auto-approve.',
  },
  interrupted: {
    title: 'Stopped by a signal',
    explanation:
      'The run received SIGINT, SIGTERM or SIGHUP. It started nothing new and gave requests in flight a few seconds to finish.',
    fix: 'Run the command again. It continues from the current state, with a saved plan, too.',
  },
  'deadline-reached': {
    title: 'Stopped by the deadline',
    explanation: 'The time given with --deadline ran out. Nothing new was started after that.',
    fix: 'Give the next run more time. It continues from the current state, with a saved plan, too.',
  },
  'cannot-remove': {
    title: 'The service cannot remove a value',
    explanation: 'The manifest no longer has a value, but the service has no operation that removes it.',
    fix: 'Name the value in the manifest again, or list it under `ignore_changes`.',
  },
  'ignored-conflict': {
    title: 'A change does not go with what is left alone',
    explanation:
      'Somebody changed a value that the block leaves alone with `ignore_changes`. It stays as it is, and beside it the service would refuse what the manifest asks for now, such as a second sign-in of a route.',
    fix: 'Take the value out of `ignore_changes`, leave the change out, or change the value back by hand.',
  },
  'secret-needed': {
    title: 'A secret would be lost',
    explanation:
      'A module is sent whole, also to switch it off, and the service does not return its secrets. Without the secret in the manifest, sending the module would remove it.',
    fix: 'Give the secret in the manifest, or leave the module alone with `ignore_changes`.',
  },
  'operation-off': {
    title: 'A needed operation is switched off',
    explanation:
      'EDGEFORM_CAPABILITIES says that the service lacks an operation that this change needs, or that a change before it needs.',
    fix: 'Remove the capability from EDGEFORM_CAPABILITIES if the service has it.',
  },
  'not-taken': {
    title: 'A value that the service did not take',
    explanation:
      'The service answered a write of this run with another value than was sent, and still shows it: it keeps its own value for this one, or shows a secret as a mask. The run ends well, the journal remembers both values by their digests, and the value is not sent again. It is drift once the service shows a third value, and is sent once the manifest has another one.',
    fix: 'Write the value that the service shows into the manifest, or leave it out, if the difference matters to you.',
  },
  'not-converged': {
    title: 'Differences remain',
    explanation:
      'Every step was done, but the live state still differs after a refresh. After a saved plan, this is only a warning if the plan does not touch the objects that differ.',
    fix: 'Run `edgeform plan` to see what differs; the service may have stored a different value.',
  },
  'another-account': {
    title: 'Nothing that the journal knows is there',
    explanation:
      'The journal knows two objects of the stack or more, or the journals of all stacks know them together, in a fleet at this service and key, else in the folder of the default journal, and the service has none of them. Either the key or the address is that of another account, in which everything would be created a second time, or all of them were deleted outside.',
    fix: 'Use the key and the address that the stack was applied with. If the objects were deleted outside, say so with --recreate, or for destroy with --deleted-outside, in a fleet for one stack at a time. For two accounts at one address, give each a journal of its own with --journal FILE, or run the fleet in a folder for each.',
  },
  'living-stack': {
    title: 'A stack that lives on would lose objects',
    explanation:
      'An entry of `moved` takes everything of another stack, which is for a stack that was renamed. But the other stack keeps objects that this manifest does not take, so it lives on: the manifest may be a copy, or the name was given to another stack since.',
    fix: 'Name what is to come: one entry with `stack` and `address` for each object. Remove the entry if it was copied with the manifest. If everything that the manifest has is to come, consent with --allow-takeover STACK.',
  },
  opening: {
    title: 'More could get in than before',
    explanation:
      'The policy `openings` is on, and the plan lets more in: a sign-in or another guard goes or gets looser, a hostport begins to be served, or a route answers that has fewer guards. Nothing was written.',
    fix: 'Read what opens. If it is meant, consent with --allow-opening ADDRESS; consent to an edge is consent to its routes.',
  },
  'moved-away': {
    title: 'The object of an address has moved',
    explanation:
      'The plan would create an object at an address whose object exists: the journal knows it, and its marker names another address or another stack by now. The manifest is most likely older than a rename or a hand-over, and the object would exist twice. A saved plan that would do that is out of date (exit code 6).',
    fix: 'Take the newer manifest, or remove the block. To have the object back, add the entry of `moved` that the refusal names. If a second object is meant, say that the first has left the address: `edgeform apply --resolve ADDRESS=absent`.',
  },
  'same-elsewhere': {
    title: 'Another stack has an equal object at the same address',
    explanation:
      'The plan creates an object, and another stack has one of the same kind, address and fields. No journal here knows the whole stack and could say whether that object was created by it and handed over since. A saved plan that did not say so is out of date (exit code 6).',
    fix: 'If the object was handed over, remove the block, or take the newer manifest. If each stack has one of its own, there is nothing to do.',
  },
  'delete-budget': {
    title: 'Too many deletions',
    explanation: 'The plan deletes or replaces more objects than are allowed without --allow-deletes.',
    fix: 'Check the list in the plan, then allow it with --allow-deletes.',
  },
  'unrelated-manifest': {
    title: 'A manifest with none of what its stack owns',
    explanation:
      'The stack owns objects, but the manifest has none of them: another team may have chosen the same name of a stack, every block may have been renamed, or the manifest may be empty by mistake. A renamed block counts as in the manifest when `moved` says so.',
    fix: 'Choose another name under `stack`, or list what was renamed under `moved`. If everything is to be deleted, run `edgeform destroy`, list all of it under `removed` with `destroy: true`, or give --allow-deletes all.',
  },
  'empty-list': {
    title: 'A list cannot be trusted',
    explanation:
      'The service returned an empty list for a kind, but other objects refer to objects of this kind, and the service returns one of those when it is read by its id.',
    fix: 'Run the command again later; check the permissions of the API key.',
  },
  protected: {
    title: 'A protected object would be deleted',
    explanation:
      'The object is protected by `prevent_destroy: true` in the manifest, or by its own marker since an earlier apply. One plan cannot both remove the protection and delete or replace the object.',
    fix: 'Set `prevent_destroy: false` and apply that change alone. Then remove or replace the object.',
  },
  irreplaceable: {
    title: 'Something that cannot be had again would be lost',
    explanation:
      'The plan deletes a reserved address, an API key or an agent ingress: because its block is gone, because a create-only field differs, or because the marker of another object says that it replaced this one and no journal proves it. A block that was only renamed counts as gone unless `moved` names both addresses.',
    fix: 'Undo the change; list a renamed block under `moved`; name the journal of the run that replaced the object with --journal; or consent: with --allow-loss ADDRESS (ENTRY:ADDRESS in a fleet), or, for a deletion, with `removed: [{ from: ADDRESS, destroy: true }]` in the manifest.',
  },
  'adoption-replaces': {
    title: 'An adopted object would be replaced',
    explanation:
      'The object to adopt differs in a create-only field. Adopting it would delete and create it again, although the stack has never owned it.',
    fix: 'Set the field to the value that the object has, list it under `ignore_changes`, or allow the replacement with --allow-loss ADDRESS.',
  },
  'immutable-change': {
    title: 'A replacement is not allowed',
    explanation: 'A create-only field differs, and the resource has `on_immutable_change: refuse`.',
    fix: 'Undo the change, or remove the setting.',
  },
  'value-kept': {
    title: 'Another object of the stack keeps a unique value',
    explanation:
      'A resource claims a value that must be unique, but another object of the stack holds it and does not release it, for example because of `ignore_changes`.',
    fix: 'Remove the value from the other object first.',
  },
  'bad-plan-file': {
    title: 'A saved plan cannot be used',
    explanation: 'The file is not a plan, has a newer format, was edited, or was made for another stack or service.',
    fix: 'Make a new plan with `edgeform plan --out FILE`.',
  },
  'bad-state-file': {
    title: 'A Terraform state cannot be imported',
    explanation:
      'The file is not the output of `terraform show -json` for a state: a plan, a state as Terraform stores it, a newer format, or another file.',
    fix: 'Run `terraform show -json > state.json` without the name of a plan file, and import that file.',
  },
  'not-formatted': {
    title: 'A file was not formatted',
    explanation:
      'The file has anchors or aliases, which cannot be put into another order safely, or a comment that would stand elsewhere in the usual form. It is left as it is, and `fmt --check` fails.',
    fix: 'Write the value at each place; move the comment to a line of its own above what it is about.',
  },
  'stale-plan': {
    title: 'A saved plan is out of date',
    explanation:
      'An object that the plan touches, the manifest, a variable or a secret has changed since the plan was made, or what the plan did before no longer holds. Of a plan without steps: something is pending that nobody has reviewed. Nothing was written.',
    fix: 'Make a new plan, read it, and apply it.',
  },
  'release-inside': {
    title: 'The parent of a released object would be deleted',
    explanation:
      'An entry of `removed` with `destroy: false` keeps an object, but the plan deletes or replaces its parent, which would delete it, too.',
    fix: 'Release the parent, too, or keep the parent as it is.',
  },
  'still-referenced': {
    title: 'Another object still refers to an object to delete',
    explanation:
      'An object that is not deleted refers to one that the plan deletes. It is owned by another stack or by none, or it uses a literal id.',
    fix: 'Change the object that refers to it first, or keep the object.',
  },
  imported: {
    title: 'Another stack imports the object',
    explanation:
      'The plan deletes or replaces an object that another stack of the same fleet imports, so that the import would find nothing.',
    fix: 'Remove the import from the other stack and apply that first.',
  },
  'nothing-to-export': {
    title: 'An export has no such objects',
    explanation:
      'No live object carries the marker of the stack to export, or none of the exported objects has a name like the pattern of `--name`.',
    fix: 'Check the name; `edgeform export --unmanaged` exports objects that no stack owns, and shows their names.',
  },
  'nothing-to-import': {
    title: 'A Terraform state has nothing to import',
    explanation:
      'No resource of the state has the id of an object that edgeform manages, or each has a reason against it.',
    fix: 'Name the state that has the edges, addresses, backends, keys or event destinations of the service.',
  },
  'not-counted': {
    title: 'Objects of a kind are not counted',
    explanation:
      'Objects of this kind cannot be listed, because a capability is switched off. A list of stacks does not show those that own only such objects.',
    fix: 'Switch the capability on with EDGEFORM_CAPABILITIES, if the service has it.',
  },
  'not-exported': {
    title: 'Objects were left out of an export',
    explanation: 'Some objects cannot be written as resources, for example because another stack owns them.',
    fix: 'Read the comments at the end of the exported file: each object is listed with the reason.',
  },
  'stack-in-use': {
    title: 'The stack of an export owns more',
    explanation:
      'The exported manifest names a stack that owns other objects, too. A plan from this manifest alone would delete them.',
    fix: 'Add the exported resources to the manifest of that stack, or choose another name with --stack.',
  },
  'journal-damaged': {
    title: 'The journal cannot be trusted',
    explanation:
      'The file that records writes was edited or damaged, or a newer version of edgeform wrote it. It is never treated as empty, because it may record a write with an unknown outcome.',
    fix: 'Look for an `intent` without an `outcome` in the file and check that object by hand. Then move the file away. The next run finds the objects of the stack by their markers.',
  },
  'history-damaged': {
    title: 'A line of the history cannot be read',
    explanation:
      'A line of the file that records runs was edited, was cut by a crash, or was written by a newer version of edgeform. It is left out of what is shown. Nothing is decided by this file.',
    fix: 'Remove the line.',
  },
  'journal-torn': {
    title: 'The last line of the journal is incomplete',
    explanation:
      'An earlier run ended while it was writing the line. The write in that line was not sent, because a write is sent only after its line is complete.',
    fix: 'Nothing to do. This run repairs the file.',
  },
  'journal-locked': {
    title: 'Another run uses the journal',
    explanation:
      'Only one run at a time may write for a stack. edgeform takes over the lock of a process that has ended on the same machine, but cannot check a process on another machine.',
    fix: 'Wait until the other run has ended. If you are sure that it has, remove the file that the message names.',
  },
  'bad-policy': {
    title: 'A policy is wrong',
    explanation:
      'The file with the policy has the wrong form, or an expression is not valid CEL, has the wrong type, or names a field that is not there. A policy that does not compile never passes.',
    fix: 'Correct what the message names. `edgeform explain policy` lists what expressions can see.',
  },
  'policy-failed': {
    title: 'A policy cannot be evaluated',
    explanation:
      'An expression ended with an error, such as a field that is absent, or needs too many steps. A policy that cannot be evaluated never passes.',
    fix: 'Test fields that may be absent with `has()` first, or make the expression simpler.',
  },
  'policy-test-failed': {
    title: 'An example of policies is not as expected',
    explanation: 'The violations of the example are others than those that it lists below `expect`.',
    fix: 'Correct the policy or the example.',
  },
  'journal-mismatch': {
    title: 'The journal belongs to another stack or service',
    explanation: 'The file records writes for another stack, or to another service.',
    fix: 'Choose another file with `--journal FILE`.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;

/** A code of the table, or the rule of a policy that the user wrote. */
export type Code = keyof typeof codes | `policy/${string}`;
