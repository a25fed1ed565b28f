/** The scheme of the documents that show resources. */
export const resourceScheme = 'patchbay-resource';

/** The scheme of the documents that show skills. */
export const skillScheme = 'patchbay-skill';

/** The scheme of the documents about servers and what they offer. */
export const detailsScheme = 'patchbay-details';
