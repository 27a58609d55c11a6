package io.weir.benchmarks.slow;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Callers that use a part of their limit, for several limits and numbers of nodes, and the
 * exchanges that their requests need.
 *
 * <p>Confine to one thread.
 */
public final class SlowLoads {
  /** The use of a limit to which the figures refer. */
  private static final int PERCENT_OF_FIGURES = 20;

  private final String figures;
  private final int[] limits;
  private final int[] numbersOfNodes;
  private final int[] percents;

  /**
   * Plans the loads.
   *
   * @param figures the beginning of the names of its figures
   * @param limits requests a minute
   * @param numbersOfNodes how many nodes share a limit
   * @param percents what callers use of their limit, 20 among them
   */
  public SlowLoads(String figures, int[] limits, int[] numbersOfNodes, int[] percents) {
    this.figures = figures;
    this.limits = limits.clone();
    this.numbersOfNodes = numbersOfNodes.clone();
    this.percents = percents.clone();
  }

  /** Returns the names of the figures that a run reports. */
  public List<String> figures() {
    List<String> all = new ArrayList<>();
    for (int limit : limits) {
      for (int nodes : numbersOfNodes) {
        all.add(figure(limit, nodes));
      }
    }
    return all;
  }

  private String figure(int limit, int nodes) {
    return figures + "." + limit + "_per_min." + nodes + (nodes == 1 ? "node" : "nodes");
  }

  /** One of the cells, which all run at the same time. */
  private record Load(int limit, int nodes, int percent, boolean far) {}

  /**
   * Measures all of them at the same time.
   *
   * @param store the address of a store that nobody else uses
   */
  public void run(String store, Effort effort, Report report) throws Exception {
    double perSecond = effort.of(20, 60, 100);
    int warmUpMillis = effort.of(200, 15_000, 75_000);
    int spanMillis = effort.of(300, 3_000, 30_000);
    int spans = 3;
    report.setting("algorithm", "SLIDING_WINDOW");
    report.setting("requests", perSecond + " a second for each row, at random");
    report.setting("counted", spans + " times " + spanMillis + " ms, after " + warmUpMillis);
    List<Load> loads = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    for (int limit : limits) {
      for (int nodes : numbersOfNodes) {
        for (int percent : percents) {
          loads.add(new Load(limit, nodes, percent, true));
        }
        loads.add(new Load(limit, nodes, PERCENT_OF_FIGURES, false));
      }
    }
    for (Load load : loads) {
      cells.add(cell(store, load, perSecond));
    }
    try (Traffic traffic = new Traffic(cells, perSecond)) {
      report.progress("warming up for " + warmUpMillis + " ms");
      traffic.last(warmUpMillis);
      List<List<Cell.Counts>> seen = new ArrayList<>(List.of(counts(cells)));
      for (int i = 0; i < spans; i++) {
        report.progress("counting for " + spanMillis + " ms");
        traffic.last(spanMillis);
        seen.add(counts(cells));
      }
      tell(loads, seen, report);
    }
    cells.forEach(Cell::close);
  }

  private static Cell cell(String store, Load load, double perSecond) {
    return new Cell(store, load.limit, load.percent, load.nodes, load.far, perSecond);
  }

  private static List<Cell.Counts> counts(List<Cell> cells) {
    return cells.stream().map(Cell::counts).toList();
  }

  private void tell(List<Load> loads, List<List<Cell.Counts>> seen, Report report) {
    List<List<String>> rows = new ArrayList<>();
    for (int cell = 0; cell < loads.size(); cell++) {
      Load load = loads.get(cell);
      List<Cell.Counts> spans = new ArrayList<>();
      for (int i = 1; i < seen.size(); i++) {
        spans.add(seen.get(i).get(cell).since(seen.get(i - 1).get(cell)));
      }
      Samples each = Samples.of(spans.stream().mapToDouble(SlowLoads::exchanges).toArray());
      if (load.percent == PERCENT_OF_FIGURES && load.far) {
        report.figure(figure(load.limit, load.nodes), each, "exchanges");
      }
      long requests = spans.stream().mapToLong(Cell.Counts::requests).sum();
      long refused = spans.stream().mapToLong(Cell.Counts::refused).sum();
      rows.add(
          List.of(
              load.limit + " a minute",
              "" + load.nodes,
              load.percent + " %",
              load.far ? "on" : "off",
              String.format(Locale.ROOT, "%,d", requests),
              String.format(Locale.ROOT, "%.3f", each.median()),
              String.format(Locale.ROOT, "%.3f – %.3f", each.low(), each.high()),
              String.format(Locale.ROOT, "%.2f %%", 100.0 * refused / Math.max(1, requests))));
    }
    List<String> columns =
        List.of(
            "limit",
            "nodes",
            "use",
            "leases for slow callers",
            "requests",
            "exchanges each",
            "spread",
            "refused");
    report.table(new Table("By limit, nodes and what a caller uses of the limit", columns, rows));
  }

  private static double exchanges(Cell.Counts counts) {
    return (double) counts.exchanges() / Math.max(1, counts.requests());
  }
}
