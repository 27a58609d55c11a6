package io.weir.compat.jaxrs.server;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.testkit.FakeTicker;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Builds an application under test. Confine to one thread. */
public final class Setup {
  private static final String AUTO = "weir.jaxrs.auto";

  private final Server.Starter starter;
  private final Consumer<AutoCloseable> closeLater;
  private final Set<Class<?>> classes;
  private final Set<Object> instances = new LinkedHashSet<>(Set.of(new OutcomeFilter()));
  private final FakeTicker ticker = new FakeTicker();
  private final WeirBuilder weir = Weir.builder().ticker(ticker);

  /**
   * Starts to build an application.
   *
   * @param starter starts the kind of server under test
   * @param closeLater closes its arguments after the test
   * @param classes resources and providers
   */
  public Setup(Server.Starter starter, Consumer<AutoCloseable> closeLater, List<Class<?>> classes) {
    this.starter = starter;
    this.closeLater = closeLater;
    this.classes = new LinkedHashSet<>(classes);
  }

  /** Adds a setting that overrides all others. */
  public Setup setting(String name, String value) {
    weir.settings(Map.of(name, value));
    return this;
  }

  /** Sets parts of the Weir. */
  public Setup weir(Consumer<WeirBuilder> parts) {
    parts.accept(weir);
    return this;
  }

  /** Lets a test send for several callers, as a trusted proxy does. */
  public Setup behindProxy() {
    return setting("weir.proxy.trusted", "127.0.0.1");
  }

  /** Adds resources and providers. */
  public Setup with(Object... more) {
    instances.addAll(List.of(more));
    return this;
  }

  /**
   * Starts the application without any limits, to compare the container's own answers.
   *
   * @return its address
   * @throws Exception if it is refused
   */
  public URI startUnlimited() throws Exception {
    System.setProperty(AUTO, "false"); // read while the application starts
    try {
      return startAsIs().base();
    } finally {
      System.clearProperty(AUTO);
    }
  }

  /**
   * Starts the application with only the parts that were added.
   *
   * @return the server, which a test may stop earlier
   * @throws Exception if it is refused
   */
  public Server startAsIs() throws Exception {
    Server server = starter.start(classes, instances);
    closeLater.accept(server.stop());
    return server;
  }

  /**
   * Starts the application.
   *
   * @return the application, stopped after the test
   * @throws Exception if it is refused
   */
  public Api start() throws Exception {
    Weir made = weir.build();
    closeLater.accept(made);
    instances.add(new RateLimitFeature(made));
    Server server = starter.start(classes, instances);
    closeLater.accept(server.stop());
    return new Api(server.base(), made, ticker);
  }
}
