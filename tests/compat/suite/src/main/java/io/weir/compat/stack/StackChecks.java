package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.stack.StackClient.Caller;
import io.weir.seeds.Seeds;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The 31 checks that a stack must pass over HTTP, and one that nothing is left after several starts
 * and stops.
 */
public abstract class StackChecks extends ListedChecks {
  private static final int STARTS = Seeds.deep() ? 5 : 2;

  private @Nullable StackServer server;

  /** For subclasses. */
  protected StackChecks() {}

  /**
   * Starts the process of the stack.
   *
   * @return a process whose application isn't started yet
   * @throws Exception if it can't start
   */
  protected abstract StackServer newServer() throws Exception;

  @Override
  final List<Check> open() throws Exception {
    StackServer started = newServer();
    server = started;
    List<Check> checks = new ArrayList<>(CheckList.of(client(started.start())));
    checks.add(
        new Check(
            checks.size() + 1,
            "nothing is left after several starts and stops",
            () -> restart(started)));
    return checks;
  }

  @Override
  final void close() {
    if (server != null) {
      server.close();
    }
  }

  private StackClient client(URI base) {
    return new StackClient(base, signsInByPassword());
  }

  /** The last check, since the application has a new address afterwards. */
  private void restart(StackServer server) throws Exception {
    for (int i = 1; i < STARTS; i++) {
      server.stop();
      URI base = server.start();
      assertEquals(
          200, client(base).get("/ip", Caller.at("203.0.113." + i)).status(), "start " + i);
    }
    server.stop();
    assertEquals(List.of(), Leftovers.of(server.process()));
  }
}
