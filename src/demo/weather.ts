const conditions = ['sunny', 'partly cloudy', 'cloudy', 'rainy', 'stormy', 'snowy', 'foggy'] as const;
const days = ['today', 'tomorrow', 'the day after'] as const;

type Conditions = (typeof conditions)[number];

interface DayForecast {
  readonly day: string;
  readonly conditions: Conditions;
  readonly lowCelsius: number;
  readonly highCelsius: number;
}

/** The result of the tool `weather_report`. */
export interface WeatherReport {
  readonly city: string;
  readonly temperatureCelsius: number;
  readonly conditions: Conditions;
  readonly wind: { readonly speedKmh: number; readonly direction: string };
  readonly forecast: readonly DayForecast[];
}

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const condition = { type: 'string', enum: conditions } as const;

export const weatherSchema = {
  type: 'object',
  properties: {
    city: text,
    temperatureCelsius: integer,
    conditions: condition,
    wind: {
      type: 'object',
      properties: { speedKmh: { ...integer, minimum: 0 }, direction: { ...text, enum: ['N', 'E', 'S', 'W'] } },
      required: ['speedKmh', 'direction'],
    },
    forecast: {
      type: 'array',
      items: {
        type: 'object',
        properties: { day: text, conditions: condition, lowCelsius: integer, highCelsius: integer },
        required: ['day', 'conditions', 'lowCelsius', 'highCelsius'],
      },
    },
  },
  required: ['city', 'temperatureCelsius', 'conditions', 'wind', 'forecast'],
} as const;

/** Invents the weather of a city; the same city always has the same weather. */
export function reportWeather(city: string): WeatherReport {
  const forecast = days.map((day) => {
    const seed = hash(`${city.toLowerCase()} ${day}`);
    const lowCelsius = (seed % 30) - 5;
    return {
      day,
      conditions: conditions[(seed >>> 8) % conditions.length] ?? 'sunny',
      lowCelsius,
      highCelsius: lowCelsius + 3 + ((seed >>> 16) % 9),
    };
  });
  const today = forecast[0];
  const seed = hash(city.toLowerCase());
  return {
    city,
    temperatureCelsius: today?.highCelsius ?? 0,
    conditions: today?.conditions ?? 'sunny',
    wind: { speedKmh: seed % 60, direction: 'NESW'.charAt((seed >>> 8) % 4) },
    forecast,
  };
}

/** FNV-1a, 32 bits. */
function hash(value: string): number {
  let result = 0x811c9dc5;
  for (let index = 0; index < value.length; index += 1) {
    result = Math.imul(result ^ value.charCodeAt(index), 0x01000193) >>> 0;
  }
  return result;
}

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

export function isPlace(country: string, city: string): boolean {
  return citiesByCountry.get(country)?.includes(city) ?? false;
}

function compareNames(left: string, right: string): number {
  return left.localeCompare(right, 'en');
}
