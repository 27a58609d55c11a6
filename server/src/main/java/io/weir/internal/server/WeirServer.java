package io.weir.internal.server;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Weir;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.server.access.CredentialVerifier;
import io.weir.internal.server.access.JwtAccess;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.http.Health;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import io.weir.internal.server.metrics.DecisionTotals;
import io.weir.internal.server.metrics.NodeReporter;
import io.weir.internal.server.metrics.PendingUpgradesGauge;
import io.weir.internal.server.metrics.RuleMetrics;
import io.weir.internal.server.settings.NamedSettings;
import io.weir.internal.server.settings.ServerSettings;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.internal.server.tls.TlsFiles;
import io.weir.metrics.MicrometerMetrics;
import io.weir.rules.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The server: one limiter, its rules, and the doors in front of them.
 *
 * <p>It stops in the order in which nothing is lost: it says that it isn't ready, waits until
 * whoever sends requests has heard of it, closes the doors, which answer what they have taken, and
 * then the limiter, which gives its leases back.
 *
 * <p>Safe for concurrent use.
 */
public final class WeirServer implements AutoCloseable, Health {
  private final Weir weir;
  private final Rules rules;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final NamedSettings settings;
  private final Optional<JwtAccess> jwts;
  private final Optional<ServerCertificate> certificate;
  private final FirstAdmin firstAdmin;
  private final List<Listener> doors = new ArrayList<>();
  private final NodeReporter reporter;
  private final PendingUpgradesGauge upgrades;
  private volatile boolean isStopping;

  /** Guarded by this. */
  private boolean isClosed;

  private WeirServer(Map<String, String> onTop, FirstAdmin firstAdmin) {
    DecisionTotals totals = new DecisionTotals(new MicrometerMetrics(registry));
    this.weir = Weir.builder().settings(withRoles(onTop)).metrics(totals).build();
    this.firstAdmin = firstAdmin;
    try {
      this.rules =
          Rules.of(weir)
              .orElseThrow(() -> new IllegalStateException("the server has rules in any case"));
      this.settings = new NamedSettings(WeirRuntime.of(weir)::setting);
      this.certificate = TlsFiles.read(settings::text).map(ServerCertificate::open);
      this.jwts = JwtAccess.open(settings::text);
      this.reporter =
          new NodeReporter(
              NodeName.of(settings.text(ServerSettings.NODE)),
              rules,
              totals,
              WeirRuntime.of(weir)::isStoreAway);
    } catch (RuntimeException failed) {
      weir.close();
      throw failed;
    }
    RuleMetrics.register(registry, rules);
    this.upgrades = PendingUpgradesGauge.register(registry, rules);
  }

  /** Tokens have the server's own roles; a token of a program is nobody's account. */
  private static Map<String, String> withRoles(Map<String, String> onTop) {
    Map<String, String> all = new HashMap<>(onTop);
    all.put("weir.control.role.admin", Role.ADMIN.text());
    all.put("weir.control.role.check", Role.CHECK.text());
    all.put("weir.control.role.user", Role.USER.text());
    return all;
  }

  /**
   * Starts a server.
   *
   * @param onTop settings that go before all others
   * @param firstAdmin makes the first token
   * @return a server whose doors are open
   * @throws ListenerException if a door can't be opened
   * @throws io.weir.InvalidSettingException if a setting is malformed
   */
  public static WeirServer start(Map<String, String> onTop, FirstAdmin firstAdmin) {
    WeirServer service = new WeirServer(onTop, firstAdmin);
    try {
      service.openDoors();
      firstAdmin.begin(service.rules.tokens(), service.settings.text(ServerSettings.ADMIN_TOKEN));
      return service;
    } catch (RuntimeException failed) {
      service.isStopping = true;
      service.closeAll();
      throw failed;
    }
  }

  private void openDoors() {
    ListenerFactory all =
        new ListenerFactory(
            weir,
            rules,
            settings,
            new CredentialVerifier(rules.tokens(), rules.sessions(), jwts.map(JwtAccess::verifier)),
            certificate,
            registry,
            this);
    for (String name : all.names()) {
      doors.add(all.open(name));
    }
  }

  /**
   * The doors that are open.
   *
   * @return in the order of the settings
   */
  public List<Listener> doors() {
    return List.copyOf(doors);
  }

  /**
   * The rules, to change them by hand.
   *
   * @return those of the database
   */
  public Rules rules() {
    return rules;
  }

  /**
   * Where counts and rules are, for people.
   *
   * @return a line
   */
  public String summary() {
    return "counts in " + weir.store() + ", rules in " + shown(settings.text("weir.rules"));
  }

  /** An address without user, password and parameters. */
  private static String shown(String address) {
    return address.replaceAll("[?;].*", "").replaceAll("//[^/@]*@", "//");
  }

  @Override
  public boolean isReady() {
    return !isStopping && rules.tokens().areRead();
  }

  @Override
  public boolean isStopping() {
    return isStopping;
  }

  /** Stops; the second call waits for the first. */
  @Override
  public void close() {
    isStopping = true;
    synchronized (this) {
      if (!isClosed) {
        isClosed = true;
        sleep(settings.duration(ServerSettings.STOP_DELAY));
        closeAll();
      }
    }
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll() {
    firstAdmin.close();
    List<Thread> closing = new ArrayList<>();
    for (Listener each : doors) {
      Thread thread = new Thread(each::close, "weir-stop-" + each.name());
      thread.start();
      closing.add(thread);
    }
    for (Thread each : closing) {
      try {
        each.join();
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
      }
    }
    reporter.close();
    upgrades.close();
    jwts.ifPresent(JwtAccess::close);
    certificate.ifPresent(ServerCertificate::close);
    weir.close();
  }
}
