package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.stack.StackClient.Caller;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checks that rules, tiers, quotas, switches and the settings for whole applications hold on a
 * stack as on every other. One process has rules in an H2 file, which the checks write by SQL while
 * it runs; another has the settings.
 */
public abstract class StackRuleChecks extends ListedChecks {
  /** A busy machine is no outage. */
  private static final List<String> EVERY_PROCESS =
      List.of(
          "-Dweir.proxy.trusted=127.0.0.1",
          "-Dweir.store.timeout=10s",
          "-Dweir.rules.timeout=10s",
          "-Dweir.usage.interval=100ms");

  @TempDir private static @Nullable Path directory;

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** For subclasses. */
  protected StackRuleChecks() {}

  /**
   * Starts a process of the stack that has {@code weir-rules} and H2 on its class path.
   *
   * @param options for its JVM: system properties, with all settings that the checks need
   * @return a process whose application isn't started yet
   * @throws Exception if it can't start
   */
  protected abstract StackServer newServer(List<String> options) throws Exception;

  /**
   * Says what patterns of rules match.
   *
   * @return true for templates of JAX-RS resources, false for paths of servlets
   */
  protected abstract boolean hasTemplates();

  @Override
  final String subject() {
    return ", rules";
  }

  @Override
  final List<Check> open() throws Exception {
    Path place = Objects.requireNonNull(directory);
    StackServer ruled = server(List.of("-Dweir.rules=" + RuleDatabase.address(place)));
    StackServer set = server(SettingCheckList.OPTIONS);
    StackClient client = client(ruled.start());
    client.get("/free", Caller.at("203.0.113.251")); // some applications start with a request
    RuleDatabase rules = RuleDatabase.open(place);
    opened.add(rules);
    List<Check> checks = new ArrayList<>(RuleCheckList.of(client, rules, hasTemplates()));
    checks.addAll(SettingCheckList.of(client(set.start()), checks.size()));
    checks.add(
        new Check(
            checks.size() + 1, "rules hold from the next start on", () -> restart(ruled, rules)));
    checks.add(new Check(checks.size() + 1, "nothing is left after a stop", () -> stop(ruled)));
    return checks;
  }

  private StackServer server(List<String> settings) throws Exception {
    StackServer server =
        newServer(Stream.concat(EVERY_PROCESS.stream(), settings.stream()).toList());
    opened.add(server);
    return server;
  }

  private StackClient client(URI base) {
    return new StackClient(base, signsInByPassword());
  }

  /** Changes the address of the application, so only its end is checked afterwards. */
  private void restart(StackServer server, RuleDatabase rules) throws Exception {
    rules.rule("kept", "/free", "kept", 2);
    rules.user("kept-user", "kept");
    rules.close(); // or this process would open the file when the other one has closed it
    server.stop();
    StackClient client = client(server.start());
    Caller user = Caller.at("203.0.113.250").with("X-User", "kept-user");
    Map<String, Long> limits = Map.of("kept", 2L);
    // An application that restarts at once may have the rules of a moment ago.
    Reply last = Await.last(() -> client.get("/free", user), each -> each.limits().equals(limits));
    assertEquals(limits, last.limits(), last::toString);
  }

  private static void stop(StackServer server) throws Exception {
    server.stop();
    assertEquals(List.of(), Leftovers.of(server.process()));
  }

  @Override
  final void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }
}
