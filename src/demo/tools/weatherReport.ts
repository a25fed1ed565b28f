import { reportWeather, weatherSchema } from '../weather.ts';
import { type DemoTool, structuredOutcome } from './tool.ts';

const city = { type: 'string', title: 'City', description: 'Any name will do.', minLength: 1, maxLength: 100 } as const;

/** Shows an output schema with nested objects. */
export function createWeatherReportTool(): DemoTool {
  return {
    definition: {
      name: 'weather_report',
      title: 'Weather Report',
      description: 'Invents the weather of a city for three days. The same city always has the same weather.',
      inputSchema: { type: 'object', properties: { city }, required: ['city'] },
      outputSchema: weatherSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      const report = reportWeather(input.text('city', city));
      const sentence = `${report.city}: ${report.conditions}, ${report.temperatureCelsius} °C.`;
      return structuredOutcome(sentence, { ...report, forecast: report.forecast.map((day) => ({ ...day })) });
    },
  };
}
