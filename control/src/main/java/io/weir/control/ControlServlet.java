package io.weir.control;

import io.weir.Weir;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JerseyFormWarnings;
import io.weir.rules.Rules;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.Serial;
import java.util.Optional;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the control API as a servlet, for applications without Jersey; runs a Jersey of its own.
 *
 * <p>Mapped to {@code /v1/*} it answers below {@code /v1} of the application, mapped to {@code
 * /weir/*} below {@code /weir/v1}. The servlet container, or a filter before this servlet,
 * authenticates callers and reports their roles. No rule limits it: otherwise one for all endpoints
 * would keep out whoever has to change it. Needs {@code jersey-container-servlet} and {@code
 * jersey-hk2} on the class path.
 *
 * <p>Safe for concurrent use.
 */
@Unlimited
public final class ControlServlet extends HttpServlet {
  private static final String VERSION = "/v1";

  @Serial private static final long serialVersionUID = 1;

  private final transient Optional<ControlFeature> given;
  private transient @Nullable ControlFeature feature;
  private transient @Nullable ServletContainer jersey;

  /**
   * Makes the API for the application's Weir and the rules that {@code weir.rules} opened, for
   * web.xml.
   */
  public ControlServlet() {
    this.given = Optional.empty();
  }

  /**
   * Makes the API for an application's limiter and rules.
   *
   * @param weir the limiter; closed by the application
   * @param rules the rules that the limiter follows; closed by the application
   */
  public ControlServlet(Weir weir, Rules rules) {
    this.given = Optional.of(new ControlFeature(weir, rules));
  }

  /**
   * Starts Jersey.
   *
   * @param config the servlet's
   * @throws ServletException if {@code weir.rules} isn't set
   */
  @Override
  public void init(ServletConfig config) throws ServletException {
    super.init(config);
    JerseyFormWarnings.silence();
    ControlFeature registered = given.isPresent() ? given.get() : ofApplication();
    feature = registered;
    ResourceConfig application =
        new ResourceConfig()
            .register(registered)
            .property("weir.jaxrs.auto", false)
            // Both would be warned of where the application lacks their libraries.
            .property(ServerProperties.WADL_FEATURE_DISABLE, true)
            .property(CommonProperties.PROVIDER_DEFAULT_DISABLE, "DATASOURCE")
            // Made absolute, an address would be wrong behind a proxy that ends TLS.
            .property(ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED, true);
    ServletContainer started = new ServletContainer(application);
    started.init(config);
    jersey = started;
  }

  private static ControlFeature ofApplication() throws ServletException {
    Weir weir = Weir.application();
    Rules rules =
        Rules.of(weir)
            .orElseThrow(
                () -> new ServletException("The control API needs rules. Set weir.rules."));
    return new ControlFeature(weir, rules);
  }

  /**
   * Answers a request.
   *
   * @param request the request
   * @param response its response
   * @throws ServletException if Jersey fails
   * @throws IOException if the connection fails
   */
  @Override
  public void service(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    ServletContainer started = jersey;
    if (started == null) {
      throw new ServletException("The servlet hasn't been initialized.");
    }
    boolean isMappedToVersion =
        request instanceof HttpServletRequest http && http.getServletPath().endsWith(VERSION);
    started.service(
        isMappedToVersion ? new AboveVersion((HttpServletRequest) request) : request, response);
  }

  /** Moves the version from the servlet path, where Jersey doesn't see it, to the path info. */
  private static final class AboveVersion extends HttpServletRequestWrapper {
    AboveVersion(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getServletPath() {
      String path = super.getServletPath();
      return path.substring(0, path.length() - VERSION.length());
    }

    @Override
    public String getPathInfo() {
      String rest = super.getPathInfo();
      return rest == null ? VERSION : VERSION + rest;
    }
  }

  /** Ends the streams of events, and stops Jersey. */
  @Override
  public void destroy() {
    ControlFeature registered = feature;
    if (registered != null) {
      registered.endStreams();
    }
    ServletContainer started = jersey;
    jersey = null;
    if (started != null) {
      started.destroy();
    }
    super.destroy();
  }
}
