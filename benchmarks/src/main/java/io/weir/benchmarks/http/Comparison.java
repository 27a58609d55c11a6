package io.weir.benchmarks.http;

import io.weir.benchmarks.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One server with Weir and without, several times anew: what the compiler makes of a program
 * differs from process to process.
 *
 * <p>Confine to one thread.
 */
final class Comparison {
  private final Server server;
  private final Path directory;
  private final int processes;
  private final int pairs;
  private final Effort effort;
  private final Duration round;

  final Rounds oneByOne = new Rounds();
  final Rounds pipelined = new Rounds();
  final Rounds refused = new Rounds();
  private boolean warm = true;

  Comparison(Server server, Path directory, Effort effort) {
    this.server = server;
    this.directory = directory;
    this.processes = effort.of(1, 1, 2);
    this.pairs = effort.of(1, 4, 4);
    this.effort = effort;
    this.round = Duration.ofMillis(effort.of(50, 400, 900));
  }

  /** Whether each server was as fast as it gets when it was measured. */
  boolean isWarm() {
    return warm;
  }

  void run() throws IOException {
    for (int i = 0; i < processes; i++) {
      try (Served plain = new Served(server, false, directory.resolve("plain"));
          Served limited = new Served(server, true, directory.resolve("weir"))) {
        plain.connect();
        limited.connect();
        measure(plain, limited);
        plain.check();
        limited.check();
      }
    }
  }

  private void measure(Served plain, Served limited) throws IOException {
    warm &= warmUp(7, 1, 16, 30).run(Load.PIPELINED, plain, limited);
    warmUp(2, 1, 4, 6).run(Load.ONE_BY_ONE, plain, limited);
    for (int i = 0; i < pairs; i++) {
      boolean limitedFirst = i % 2 == 1; // so that neither is always the one after the other
      pair(Load.PIPELINED, limitedFirst, plain, limited, pipelined);
      pair(Load.ONE_BY_ONE, limitedFirst, plain, limited, oneByOne);
    }
    if (server == Server.TOMCAT) {
      refuse(plain, limited);
    }
  }

  /** Against what the same server needs to admit without Weir. */
  private void refuse(Served plain, Served limited) throws IOException {
    limited.spendLimit();
    limited.measure(Load.REFUSED, round.multipliedBy(effort.of(1, 3, 3)));
    for (int i = 0; i < pairs; i++) {
      refused.add(plain.measure(Load.PIPELINED, round), limited.measure(Load.REFUSED, round));
    }
  }

  private WarmUp warmUp(int least, int tiny, int quick, int full) {
    return new WarmUp(round, effort.of(tiny, least, least), effort.of(tiny, quick, full));
  }

  private void pair(Load load, boolean limitedFirst, Served plain, Served limited, Rounds into)
      throws IOException {
    if (limitedFirst) {
      Round second = limited.measure(load, round);
      into.add(plain.measure(load, round), second);
    } else {
      into.add(plain.measure(load, round), limited.measure(load, round));
    }
  }
}
