package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.stack.MeasuredServer.Cost;
import io.weir.seeds.Seeds;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Prints what a stack's request costs with Weir beside the same without, in two processes that take
 * turns: processor time and allocated bytes. The application answers to {@code free}, {@code
 * admitted} and {@code refused}, the last with one permit. Judges no figure: a machine may be busy.
 * For figures to publish, run it alone with {@code -Pdeep -Dweir.test.rounds=25}; other builds send
 * a few requests, which shows that all are answered as they should be.
 */
@EnabledOnOs(OS.LINUX) // the only system that reports the time of threads to the nanosecond
public abstract class RequestCosts {
  private static final int REQUESTS = Seeds.deep() ? 4_000 : 50;
  private static final int WARM_UP = Seeds.deep() ? 40_000 : 50;
  private static final int ROUNDS = Integer.getInteger("weir.test.rounds", Seeds.deep() ? 3 : 1);

  /** Requests of one kind, and the cost of each in every round. */
  private record Load(
      String title, boolean withWeir, String request, boolean admits, List<Cost> costs) {
    static Load of(String title, boolean withWeir, String request, boolean admits) {
      return new Load(title, withWeir, request, admits, new ArrayList<>());
    }

    double[] sorted(ToDoubleFunction<Cost> kind) {
      return costs.stream().mapToDouble(kind).sorted().toArray();
    }

    double median(ToDoubleFunction<Cost> kind) {
      return sorted(kind)[costs.size() / 2];
    }
  }

  /** For subclasses. */
  protected RequestCosts() {}

  /**
   * Names the stack.
   *
   * @return such as {@code Spring MVC}
   */
  protected abstract String stack();

  /**
   * Starts a process, compiled as in production ({@code -XX:TieredStopAtLevel=4}).
   *
   * @param withWeir whether it has Weir's libraries
   * @return a process whose application hasn't started
   * @throws IOException if it can't be started
   */
  protected abstract StackProcess newServer(boolean withWeir) throws IOException;

  /**
   * Returns whether a library is a module of this build, or what only Weir needs.
   *
   * @param library a jar or a folder of classes
   * @return false for what an application without Weir has too
   */
  protected static boolean isOfWeir(Path library) {
    return !library.toString().endsWith(".jar")
        || library.toString().matches(".*[/\\\\](weir|caffeine|ipaddress)-[^/\\\\]*");
  }

  /**
   * Connects to an application.
   *
   * @param address of its server
   * @return over HTTP unless overridden
   * @throws IOException if it can't be reached
   */
  protected MeasuredClient connect(URI address) throws IOException {
    return new MeasuredHttpClient(address);
  }

  @Test
  void measuresARequestWithAndWithoutWeir() throws IOException {
    List<Load> loads =
        List.of(
            Load.of("without", false, "admitted", true),
            Load.of("free", true, "free", true),
            Load.of("admitted", true, "admitted", true),
            Load.of("refused", true, "refused", false));
    try (MeasuredServer without = new MeasuredServer(newServer(false), this::connect);
        MeasuredServer with = new MeasuredServer(newServer(true), this::connect)) {
      with.measure("refused", true, 1); // the one permit
      for (Load each : loads) {
        measure(each, without, with, WARM_UP);
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Load each : loads) {
          each.costs().add(measure(each, without, with, REQUESTS));
        }
      }
    }
    loads.forEach(each -> print(each, loads.get(0)));
    assertTrue(loads.get(0).median(Cost::micros) > 0);
  }

  private static Cost measure(Load load, MeasuredServer without, MeasuredServer with, int requests)
      throws IOException {
    MeasuredServer server = load.withWeir() ? with : without;
    return server.measure(load.request(), load.admits(), requests);
  }

  private void print(Load load, Load without) {
    double[] micros = load.sorted(Cost::micros);
    System.out.printf(
        Locale.ROOT,
        "%s, a request, %-8s %6.1f µs of processor time (%.1f to %.1f), %.2f of that without,"
            + " %,7.0f B, %.2f%n",
        stack(),
        load.title(),
        load.median(Cost::micros),
        micros[0],
        micros[micros.length - 1],
        load.median(Cost::micros) / without.median(Cost::micros),
        load.median(Cost::bytes),
        load.median(Cost::bytes) / without.median(Cost::bytes));
  }
}
