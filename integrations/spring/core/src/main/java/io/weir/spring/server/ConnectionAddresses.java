package io.weir.spring.server;

import io.weir.EndpointPolicy;
import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.annotation.By;
import io.weir.spring.StartCheck;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ReflectionUtils;

/**
 * Knows whether Weir can read the connection's own address from the web server, and refuses the
 * start where a policy needs the address and callers could choose it.
 *
 * <p>Confine to the thread that starts the application.
 */
public final class ConnectionAddresses
    implements WebServerFactoryCustomizer<WebServerFactory>, StartCheck {
  private static final String REMEDY =
      " or, if only your proxy can reach the server, return the address that the server reports"
          + " from a bean of the type io.weir.spi.PeerAddress";

  private final ApplicationContext context;
  private final ObjectProvider<Adapter> adapter;
  private final Set<String> readable = new TreeSet<>();
  private final Set<String> embedded = new TreeSet<>();

  ConnectionAddresses(ApplicationContext context, ObjectProvider<Adapter> adapter) {
    this.context = context;
    this.adapter = adapter;
  }

  /** Notes the server that the application starts. */
  @Override
  public void customize(WebServerFactory factory) {
    embedded.add(factory.getClass().getName());
  }

  /**
   * Notes that the address can be read from a server, whatever that makes of header fields.
   *
   * @param factory makes the server
   */
  public void areReadableFrom(WebServerFactory factory) {
    readable.add(factory.getClass().getName());
  }

  /**
   * Checks the server.
   *
   * @throws InvalidSettingException if it may report addresses that callers have sent, and a policy
   *     needs the address
   */
  @Override
  public void check() {
    Optional<String> mistake = mistake();
    if (mistake.isPresent() && !adapter.getObject().findsPeer() && isAddressNeeded()) {
      throw new InvalidSettingException(mistake.get());
    }
  }

  private Optional<String> mistake() {
    if (!startsServer()) {
      return ExternalContainer.rewriter(context)
          .map(
              rewriter ->
                  "the servlet container: "
                      + rewriter
                      + " replaces the caller's address by one from a header field, so Weir can't"
                      + " read the connection's own, which policies need. Remove it and name your"
                      + " proxies in weir.proxy.trusted,"
                      + REMEDY);
    }
    Set<String> unknown = new TreeSet<>(embedded);
    unknown.removeAll(readable);
    return unknown.stream()
        .findFirst()
        .flatMap(
            server ->
                ForwardHeaders.byServer(context.getEnvironment())
                    .map(
                        setting ->
                            setting
                                + ": the server of "
                                + server
                                + " may replace the caller's address by one from a header field,"
                                + " and Weir can't read the connection's own from it, which"
                                + " policies need. Set it to framework or none and name your"
                                + " proxies in weir.proxy.trusted, use Tomcat, Jetty, Undertow or"
                                + " Netty,"
                                + REMEDY));
  }

  /** A war has a factory, too, if an embedded server is on its class path. */
  private boolean startsServer() {
    @Nullable Method server =
        ReflectionUtils.findMethod(context.getClass(), "getWebServer"); // moved in Spring Boot 4
    return server != null && ReflectionUtils.invokeMethod(server, context) != null;
  }

  private boolean isAddressNeeded() {
    Adapter opened = adapter.getObject();
    Weir weir = opened.weir();
    return opened.hasPolicySource()
        || opened.hasAccessList()
        || weir.policies().stream().anyMatch(ConnectionAddresses::countsApart)
        || LaterAdapters.areIn(context);
  }

  private static boolean countsApart(EndpointPolicy each) {
    return !each.policy().by().equals(List.of(By.ENDPOINT));
  }
}
