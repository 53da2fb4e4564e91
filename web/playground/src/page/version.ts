// From the build.
declare const VERSION: string;

/** The version of psl, with the commit if it is known. */
export const version = VERSION;
