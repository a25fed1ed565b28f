const citiesByCountry: ReadonlyMap<string, readonly string[]> = new Map([
  ['Brazil', ['Brasília', 'Curitiba', 'Recife', 'Rio de Janeiro', 'São Paulo']],
  ['Egypt', ['Alexandria', 'Aswan', 'Cairo', 'Luxor']],
  ['France', ['Bordeaux', 'Lille', 'Lyon', 'Marseille', 'Nantes', 'Nice', 'Paris', 'Strasbourg']],
  ['Germany', ['Berlin', 'Cologne', 'Dresden', 'Hamburg', 'Leipzig', 'Munich']],
  ['India', ['Bengaluru', 'Chennai', 'Delhi', 'Kolkata', 'Mumbai']],
  ['Japan', ['Kyoto', 'Nagoya', 'Osaka', 'Sapporo', 'Tokyo']],
  ['Kenya', ['Kisumu', 'Mombasa', 'Nairobi', 'Nakuru']],
  ['Norway', ['Bergen', 'Oslo', 'Stavanger', 'Tromsø', 'Trondheim']],
]);

/** The countries that have cities here. */
export const countries: readonly string[] = [...citiesByCountry.keys()];

/** The cities of `country`; of all countries while none is chosen; none for an unknown country. */
export function citiesOf(country: string | undefined): readonly string[] {
  if (country === undefined || country === '') return [...citiesByCountry.values()].flat().toSorted(compareNames);
  return citiesByCountry.get(country) ?? [];
}

/** Whether `city` is a city of `country`. */
export function isPlace(country: string, city: string): boolean {
  return citiesByCountry.get(country)?.includes(city) ?? false;
}

function compareNames(left: string, right: string): number {
  return left.localeCompare(right, 'en');
}
