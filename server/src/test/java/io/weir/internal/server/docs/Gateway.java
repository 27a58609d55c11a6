package io.weir.internal.server.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.server.DebianPrograms;
import io.weir.internal.server.Programs;
import io.weir.internal.server.RunningServer;
import io.weir.rules.AccessListRow;
import io.weir.rules.RuleBuilder;
import io.weir.rules.Rules;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;

/**
 * Runs a real gateway, configured as docs/service-gateways.md says, between clients, an application
 * and the server.
 */
final class Gateway implements AutoCloseable {
  private static final String NAME = "gateway";
  private static final String HEADING = "nginx, Traefik, Caddy";
  private static final String PREFLIGHTS = "Preflights";

  private final RunningServer weir;
  private final String secret;
  private final int port = RedisServer.freePort();
  private final Path said;
  private final Process process;

  /** Says by which configuration a gateway runs. */
  private interface Start {
    List<String> command(Gateway gateway) throws IOException;
  }

  private Gateway(Path folder, String by, List<RuleBuilder> rules, Start start) throws Exception {
    this.weir = server(by, rules);
    this.secret = token(weir);
    this.said = folder.resolve("said.txt");
    this.process = Programs.start(folder, said, start.command(this));
    try {
      Await.until("it answers", () -> !process.isAlive() || answers());
      assertTrue(process.isAlive(), () -> "it ended: " + said());
    } catch (AssertionError failed) {
      close();
      throw failed;
    }
  }

  static Gateway nginx(Path folder, String application, List<RuleBuilder> rules) throws Exception {
    return nginx(folder, application, rules, "", page -> page);
  }

  /** Lets preflights pass, as the page says. */
  static Gateway nginxWithPreflights(Path folder, String application, List<RuleBuilder> rules)
      throws Exception {
    return nginx(
        folder,
        application,
        rules,
        ServicePage.block(PREFLIGHTS, "nginx", "map"),
        Gateway::withPreflights);
  }

  /** Begins the locations as the page says. */
  private static String withPreflights(String locations) {
    String changed = locations;
    for (String each : ServicePage.blocks(PREFLIGHTS, "nginx")) {
      String first = each.lines().findFirst().orElseThrow() + "\n";
      changed = changed.replace(first, each);
    }
    return changed;
  }

  /** Asks two addresses in turn, at the first of which there is no server. */
  static Gateway nginxOfTwoServers(Path folder, String application, List<RuleBuilder> rules)
      throws Exception {
    return nginx(
        folder,
        application,
        rules,
        """
        upstream weir_servers {
          server 127.0.0.1:AWAY max_fails=0;
          server weir:8070 max_fails=0;
        }
        """
            .replace("AWAY", String.valueOf(RedisServer.freePort())),
        page -> page.replace("weir:8070", "weir_servers"));
  }

  /**
   * Starts nginx.
   *
   * @param beside what stands beside its server
   * @param change changes the locations of the page
   */
  private static Gateway nginx(
      Path folder,
      String application,
      List<RuleBuilder> rules,
      String beside,
      UnaryOperator<String> change)
      throws Exception {
    Path program = DebianPrograms.need("nginx");
    return new Gateway(
        folder,
        "original",
        rules,
        gateway -> {
          String locations =
              change
                  .apply(ServicePage.block(HEADING, "nginx", "auth_request"))
                  .replace("http://application", "http://" + application);
          Files.createDirectories(folder.resolve("temp"));
          Path config =
              Files.writeString(
                  folder.resolve("nginx.conf"),
                  """
                  daemon off;
                  worker_processes 1;
                  pid nginx.pid;
                  error_log stderr warn;
                  events { worker_connections 64; }
                  http {
                    access_log off;
                    client_body_temp_path temp/body;
                    proxy_temp_path temp/proxy;
                    fastcgi_temp_path temp/fastcgi;
                    uwsgi_temp_path temp/uwsgi;
                    scgi_temp_path temp/scgi;
                    BESIDE
                    server {
                      listen 127.0.0.1:PORT;
                      LOCATIONS
                    }
                  }
                  """
                      .replace("PORT", String.valueOf(gateway.port))
                      .replace("BESIDE", gateway.filled(beside))
                      .replace("LOCATIONS", gateway.filled(locations)));
          return List.of(
              program.toString(), "-p", folder.toString(), "-e", "stderr", "-c", config.toString());
        });
  }

  static Gateway caddy(Path folder, String application, List<RuleBuilder> rules) throws Exception {
    return caddy(folder, application, rules, page -> page);
  }

  /** Lets preflights pass, as the page says. */
  static Gateway caddyWithPreflights(Path folder, String application, List<RuleBuilder> rules)
      throws Exception {
    String decided = ServicePage.block(PREFLIGHTS, "", "@decided");
    return caddy(
        folder, application, rules, page -> page.replace("  forward_auth weir:8070 {\n", decided));
  }

  private static Gateway caddy(
      Path folder, String application, List<RuleBuilder> rules, UnaryOperator<String> change)
      throws Exception {
    Path program = DebianPrograms.need("caddy");
    return new Gateway(
        folder,
        "forwarded",
        rules,
        gateway -> {
          String site =
              ServicePage.blocks(HEADING, "").stream()
                  .filter(each -> each.contains("forward_auth"))
                  .findFirst()
                  .map(change)
                  .map(gateway::filled)
                  .orElseThrow()
                  .replace("example.org", "http://127.0.0.1:" + gateway.port)
                  .replace("application:8080", application);
          Path config =
              Files.writeString(
                  folder.resolve("Caddyfile"), "{\n  admin off\n  auto_https off\n}\n" + site);
          return List.of(
              program.toString(), "run", "--config", config.toString(), "--adapter", "caddyfile");
        });
  }

  private String filled(String configuration) {
    return configuration
        .replace("weir:8070", URI.create(weir.url()).getAuthority())
        .replace("weir_…", secret);
  }

  /** With the settings of the page. */
  private static RunningServer server(String by, List<RuleBuilder> rules) throws IOException {
    Properties settings = new Properties();
    settings.load(new StringReader(ServicePage.block(HEADING, "properties", "forward.by")));
    Map<String, String> all = new HashMap<>();
    settings.forEach((name, value) -> all.put(name.toString(), value.toString()));
    all.put("weir.control.forward.by", by);
    RunningServer server = new RunningServer(all);
    Rules of = server.service().rules();
    rules.forEach(each -> of.rules().save(each.build(), "test"));
    of.refresh();
    return server;
  }

  private static String token(RunningServer server) {
    return server
        .service()
        .rules()
        .tokens()
        .create(NAME, "weir-check", Optional.empty(), Optional.empty(), "test")
        .secret();
  }

  private boolean answers() {
    try {
      return get("/ready/now").status() == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  /** Sends a request whose path stays as it is. */
  RawAnswer get(String path, String... fields) {
    return RawAnswer.get(port, path, fields);
  }

  /** Sends a request that asks whether a page may send another one. */
  RawAnswer options(String path, String... fields) {
    return RawAnswer.send(port, "OPTIONS", path, fields);
  }

  /** Returns the gateway's log for a failure. */
  String said() {
    try {
      return Files.readString(said);
    } catch (IOException missing) {
      return missing.toString();
    }
  }

  /** The token, which only the gateway may know. */
  String secret() {
    return secret;
  }

  /** Ends the token that it asks by. */
  void revokeToken() {
    AccessTokens tokens = weir.service().rules().tokens();
    for (AccessToken each : tokens.all()) {
      if (each.name().equals(NAME)) {
        tokens.revoke(each.id(), "test");
      }
    }
  }

  /** Denies the address that all requests of these tests come from. */
  void denyClient() {
    Rules rules = weir.service().rules();
    AccessEntry own = AccessEntry.deny(AccessSubject.address("127.0.0.1"));
    rules.accessEntries().save(AccessListRow.of(own), "test");
    rules.refresh();
  }

  /** Ends the server that it asks, and nothing else. */
  void loseServer() {
    weir.close();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    process.onExit().join();
    weir.close();
  }
}
