// Grafana's own types of a dashboard whose panels are of two kinds, as they are in JSON: enums are their values.
import type { Dashboard, Panel } from '@grafana/schema';
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type {
  FieldConfig as LineOptions,
  Options as TimeSeriesOptions,
} from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

type Json<T> = T extends string
  ? `${T}`
  : T extends number | boolean | null | undefined
    ? T
    : T extends Array<infer E>
      ? Array<Json<E>>
      : T extends object
        ? { [K in keyof T]: Json<T[K]> }
        : T;

// The query of the data source for Prometheus, whose types aren't published.
interface Query {
  refId: string;
  expr: string;
  legendFormat: string;
  instant?: boolean;
  range?: boolean;
  datasource: { type: 'prometheus'; uid: '${datasource}' };
}

type Fields = NonNullable<Panel['fieldConfig']>;
type FieldsWith<C> = Omit<Fields, 'defaults'> & { defaults: Omit<Fields['defaults'], 'custom'> & { custom?: C } };
type PanelOf<T, O, C> = Omit<Panel, 'type' | 'targets' | 'options' | 'fieldConfig'> & {
  type: T;
  targets: Query[];
  options: O;
  fieldConfig: FieldsWith<C>;
};

export type WeirDashboard = Json<
  Omit<Dashboard, 'panels'> & {
    panels: Array<PanelOf<'stat', StatOptions, never> | PanelOf<'timeseries', TimeSeriesOptions, LineOptions>>;
  }
>;
