package io.weir.compat.stacks.spring.cost;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Prints the processor time of a request of Spring MVC with Weir beside the same without, in two
 * processes that take turns. Judges no figure: a machine may be busy. For figures to publish, run
 * it alone with {@code -Dweir.test.rounds=25}.
 */
@DeepOnly
@EnabledOnOs(OS.LINUX) // the only system that reports the time of threads to the nanosecond
class RequestCostTest {
  private static final int REQUESTS = 4_000;
  private static final int WARM_UP = 40_000;
  private static final int ROUNDS = Integer.getInteger("weir.test.rounds", 3);

  private enum Load {
    WITHOUT("/admitted", 200),
    FREE("/free", 200),
    ADMITTED("/admitted", 200),
    REFUSED("/refused", 429);

    private final String path;
    private final int status;

    Load(String path, int status) {
      this.path = path;
      this.status = status;
    }
  }

  @Test
  void measuresARequestWithAndWithoutWeir() throws IOException {
    Map<Load, double[]> micros = new EnumMap<>(Load.class);
    try (Server without = Server.start(false);
        Server with = Server.start(true)) {
      with.measure("/refused", 200, 1); // the one permit
      for (Load each : Load.values()) {
        measure(each, without, with, WARM_UP);
        micros.put(each, new double[ROUNDS]);
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (Load each : Load.values()) {
          micros.get(each)[round] = measure(each, without, with, REQUESTS);
        }
      }
    }
    double base = median(micros.get(Load.WITHOUT));
    micros.forEach((load, all) -> print(load, all, base));
    assertTrue(base > 0);
  }

  private static double measure(Load load, Server without, Server with, int requests)
      throws IOException {
    Server server = load == Load.WITHOUT ? without : with;
    return server.measure(load.path, load.status, requests);
  }

  private static double median(double[] samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void print(Load load, double[] samples, double base) {
    double median = median(samples);
    System.out.printf(
        "Spring MVC, processor time a request, %-8s %6.1f µs (%.1f to %.1f), %.2f of that"
            + " without%n",
        load,
        median,
        Arrays.stream(samples).min().orElseThrow(),
        Arrays.stream(samples).max().orElseThrow(),
        median / base);
  }
}
