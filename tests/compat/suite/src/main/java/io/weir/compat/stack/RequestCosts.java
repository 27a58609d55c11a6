package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Prints the processor time of a stack's request with Weir beside the same without, in two
 * processes that take turns. The application answers below {@code /cost}: {@code free}, {@code
 * admitted} and {@code refused}, the last with one permit. Judges no figure: a machine may be busy.
 * For figures to publish, run it alone with {@code -Dweir.test.rounds=25}.
 */
@DeepOnly
@EnabledOnOs(OS.LINUX) // the only system that reports the time of threads to the nanosecond
public abstract class RequestCosts {
  private static final int REQUESTS = 4_000;
  private static final int WARM_UP = 40_000;
  private static final int ROUNDS = Integer.getInteger("weir.test.rounds", 3);

  /** Requests of one kind, and the time of each in every round. */
  private record Load(String name, boolean withWeir, String path, int status, List<Double> micros) {
    static Load of(String name, boolean withWeir, String path, int status) {
      return new Load(name, withWeir, path, status, new ArrayList<>());
    }

    double median() {
      return micros.stream().sorted().skip(micros.size() / 2).findFirst().orElseThrow();
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

  @Test
  void measuresARequestWithAndWithoutWeir() throws IOException {
    List<Load> loads =
        List.of(
            Load.of("without", false, "/cost/admitted", 200),
            Load.of("free", true, "/cost/free", 200),
            Load.of("admitted", true, "/cost/admitted", 200),
            Load.of("refused", true, "/cost/refused", 429));
    try (MeasuredServer without = new MeasuredServer(newServer(false));
        MeasuredServer with = new MeasuredServer(newServer(true))) {
      with.measure("/cost/refused", 200, 1); // the one permit
      for (Load each : loads) {
        measure(each, without, with, WARM_UP);
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Load each : loads) {
          each.micros().add(measure(each, without, with, REQUESTS));
        }
      }
    }
    double base = loads.get(0).median();
    loads.forEach(each -> print(each, base));
    assertTrue(base > 0);
  }

  private static double measure(
      Load load, MeasuredServer without, MeasuredServer with, int requests) throws IOException {
    MeasuredServer server = load.withWeir() ? with : without;
    return server.measure(load.path(), load.status(), requests);
  }

  private void print(Load load, double base) {
    System.out.printf(
        Locale.ROOT,
        "%s, processor time a request, %-8s %6.1f µs (%.1f to %.1f), %.2f of that without%n",
        stack(),
        load.name(),
        load.median(),
        Collections.min(load.micros()),
        Collections.max(load.micros()),
        load.median() / base);
  }
}
