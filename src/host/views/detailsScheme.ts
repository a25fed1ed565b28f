/** The scheme of the documents about servers and what they offer. */
export const detailsScheme = 'patchbay-details';
