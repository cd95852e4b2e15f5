// What a pipeline is about, whatever forge runs it.

export interface Pipeline {
  readonly version: string;
  /** The commit of the version's tag; without it, our actions are named by the tag. */
  readonly commit?: string | undefined;
  readonly stack: string;
  /** What the pipeline uses is copied into the repository. */
  readonly isCopied?: boolean;
  /** Name of the fleet file, for a pipeline over all its stacks. */
  readonly fleet?: string | undefined;
  /** A job and an environment for each wave of the fleet. */
  readonly hasWaves?: boolean;
  /** A job that keeps a pull request with accepted drift. */
  readonly proposesDrift?: boolean;
  /** Of the manifest that is there; undefined for a new one, which needs nothing. */
  readonly needs?: ManifestNeeds | undefined;
  /** The branch that is applied; `main` if missing. */
  readonly branch?: string;
}

/** What a manifest needs to be planned and applied. */
export interface ManifestNeeds {
  /** Names of its sensitive variables. */
  readonly secrets: readonly string[];
  /** Names of its other variables without a default. */
  readonly values: readonly string[];
  /** True if apply gets tokens that the service shows only once. */
  readonly writesTokens: boolean;
}

/** Where copies are kept, from the root of the repository. */
export const COPIES = { github: '.github/actions/edgeform', gitlab: '.gitlab/edgeform' } as const;

/** Of a manifest that is yet to be written. */
export const NO_NEEDS: ManifestNeeds = { secrets: [], values: [], writesTokens: false };

/** What must exist for a pipeline with copies. */
export const copied = (
  folder: string,
  version: string,
) => `# What this file uses is in ${folder}, with its licence. It installs edgeform ${version} from the npm registry; until that is published
# there, set the input "version" to "" and put edgeform on the PATH.
`;
