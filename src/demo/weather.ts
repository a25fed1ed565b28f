import type { JsonObject } from '../base/json.ts';
import { structuredResult, type ToolResult } from './tool.ts';

const conditions = ['sunny', 'partly cloudy', 'cloudy', 'rainy', 'stormy', 'snowy', 'foggy'] as const;
const days = ['today', 'tomorrow', 'the day after'] as const;

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

/** Invents the weather of a city, as {@link weatherSchema} describes it. The same city always has the same weather. */
export function reportWeather(city: string): JsonObject & { conditions: string; temperatureCelsius: number } {
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

export function weatherResult(city: string): ToolResult {
  const report = reportWeather(city);
  return structuredResult(`${city}: ${report.conditions}, ${report.temperatureCelsius} °C.`, report);
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

export const countries: readonly string[] = [...citiesByCountry.keys()];

/** Values of the arguments `country` and `city`: while no country is chosen, the cities of all of them. */
export const placeCompletions = {
  country: (): readonly string[] => countries,
  city: ({ country = '' }: Readonly<Record<string, string>>): readonly string[] =>
    country === '' ? [...citiesByCountry.values()].flat().toSorted(compareNames) : citiesOf(country),
};

export function citiesOf(country: string): readonly string[] {
  return citiesByCountry.get(country) ?? [];
}

export function isPlace(country: string, city: string): boolean {
  return citiesOf(country).includes(city);
}

function compareNames(left: string, right: string): number {
  return left.localeCompare(right, 'en');
}
