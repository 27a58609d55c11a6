package io.weir.internal.server;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.server.access.CredentialVerifier;
import io.weir.internal.server.access.JwtSettings;
import io.weir.internal.server.access.JwtVerifier;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.http.Health;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import io.weir.internal.server.listener.Protocol;
import io.weir.internal.server.metrics.PendingTierUpgradesGauge;
import io.weir.internal.server.metrics.ReadyGauge;
import io.weir.internal.server.metrics.RuleMetrics;
import io.weir.internal.server.settings.ServerSettings;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.internal.server.tls.TlsFiles;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.metrics.MicrometerMetrics;
import io.weir.rules.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The server: one limiter, its rules, and a listener for each protocol.
 *
 * <p>It stops without losing requests: it reports that it isn't ready, waits until load balancers
 * have noticed, closes the listeners, which answer what they have received, and then closes the
 * limiter, which gives its leases back.
 *
 * <p>Safe for concurrent use.
 */
public final class WeirServer implements AutoCloseable, Health {
  private final Weir weir;
  private final Rules rules;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final UnaryOperator<String> settings;
  private final Optional<JwtVerifier> jwts;
  private final Optional<ServerCertificate> certificate;
  private final AdminTokenBootstrap firstAdmin;
  private final List<Listener> listeners = new ArrayList<>();
  private final PendingTierUpgradesGauge pendingUpgrades;
  private volatile boolean isStopping;

  /** Guarded by this. */
  private boolean isClosed;

  private WeirServer(Map<String, String> overrides, AdminTokenBootstrap firstAdmin) {
    this.weir =
        Weir.builder()
            .settings(withNode(withRoles(overrides)))
            .metrics(new MicrometerMetrics(registry))
            .build();
    this.firstAdmin = firstAdmin;
    try {
      this.rules =
          Rules.of(weir)
              .orElseThrow(() -> new IllegalStateException("the server always has rules"));
      WeirRuntime runtime = WeirRuntime.of(weir);
      Ticker ticker = runtime.ticker();
      this.settings = runtime::setting;
      this.certificate = TlsFiles.read(settings).map(ServerCertificate::open);
      this.jwts = JwtSettings.read(settings).map(jwt -> JwtVerifier.open(jwt, ticker));
      RuleMetrics.register(registry, rules, ticker);
    } catch (RuntimeException failed) {
      weir.close();
      throw failed;
    }
    ReadyGauge.register(registry, this::isReady);
    this.pendingUpgrades = PendingTierUpgradesGauge.register(registry, rules);
  }

  /** Names the server's own roles, which its tokens have; its console signs in by itself. */
  private static Map<String, String> withRoles(Map<String, String> overrides) {
    Map<String, String> all = new HashMap<>(overrides);
    all.put("weir.control.role.admin", Role.ADMIN.text());
    all.put("weir.control.role.view", Role.VIEW.text());
    all.put("weir.control.role.check", Role.CHECK.text());
    all.put("weir.control.role.user", Role.USER.text());
    all.put("weir.control.sign-in", "");
    return all;
  }

  /** Passes the server's own setting of its name on to the rules, which report it. */
  private static Map<String, String> withNode(Map<String, String> settings) {
    String name = ServerSettings.NODE.read(each -> settings.getOrDefault(each, ""));
    if (!name.isBlank()) {
      settings.putIfAbsent(ServerSettings.NODE_OF_RULES, name);
    }
    return settings;
  }

  /**
   * Starts a server.
   *
   * @param firstAdmin creates the first token; the server closes it
   * @throws ListenerException if it can't listen: a port is taken, say
   * @throws io.weir.InvalidSettingException if a setting is malformed
   */
  public static WeirServer start(Map<String, String> overrides, AdminTokenBootstrap firstAdmin) {
    WeirServer server = new WeirServer(overrides, firstAdmin);
    try {
      server.openListeners();
      firstAdmin.begin(server.rules.tokens(), ServerSettings.ADMIN_TOKEN.read(server.settings));
      return server;
    } catch (RuntimeException failed) {
      server.isStopping = true;
      server.closeAll();
      throw failed;
    }
  }

  private void openListeners() {
    ListenerFactory factory =
        new ListenerFactory(
            weir,
            rules,
            settings,
            new CredentialVerifier(rules.tokens(), rules.sessions(), jwts),
            certificate,
            registry,
            this);
    for (Protocol each : ServerSettings.LISTENERS.read(settings)) {
      listeners.add(factory.open(each));
    }
  }

  /** Returns the listeners in the order of the setting. */
  public List<Listener> listeners() {
    return List.copyOf(listeners);
  }

  public Rules rules() {
    return rules;
  }

  /** Describes where counts and rules are, in a line without passwords. */
  public String summary() {
    return "counts in "
        + weir.store()
        + ", rules in "
        + withoutSecrets(settings.apply("weir.rules").strip());
  }

  /** Removes user, password and parameters from an address. */
  private static String withoutSecrets(String address) {
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

  /** Stops; a second call waits for the first. */
  @Override
  public void close() {
    isStopping = true;
    synchronized (this) {
      if (!isClosed) {
        isClosed = true;
        sleep(ServerSettings.STOP_DELAY.read(settings));
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
    for (Listener each : listeners) {
      Thread thread =
          DaemonThreadFactory.named("weir-stop-" + each.protocol().text()).newThread(each::close);
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
    pendingUpgrades.close();
    jwts.ifPresent(JwtVerifier::close);
    certificate.ifPresent(ServerCertificate::close);
    weir.close();
  }
}
