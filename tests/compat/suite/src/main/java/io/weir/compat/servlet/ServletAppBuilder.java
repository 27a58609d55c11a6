package io.weir.compat.servlet;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.servlet.RateLimitFilter;
import io.weir.servlet.WeirInitializer;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Builds an application of a filter and servlets, on a clock that stands still. */
final class ServletAppBuilder {
  private final ServletServer server;
  private final FakeTicker ticker = new FakeTicker();
  private final Map<String, String> settings = new TreeMap<>();
  private final List<Consumer<ServletContext>> registrations = new ArrayList<>();
  private Consumer<WeirBuilder> parts = builder -> {};
  private BiConsumer<ServletContext, Weir> filters =
      (context, weir) -> filter(context, "weir", new RateLimitFilter(weir), "/*");
  private String webXml = "";

  ServletAppBuilder(ServletServer server) {
    this.server = server;
  }

  ServletAppBuilder servlet(String pattern, Servlet servlet) {
    registrations.add(
        context -> {
          String name = servlet.getClass().getSimpleName() + registrations.size() + pattern;
          ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
          registration.addMapping(pattern);
          registration.setAsyncSupported(true);
        });
    return this;
  }

  ServletAppBuilder setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /** Sets parts of the Weir. */
  ServletAppBuilder parts(Consumer<WeirBuilder> own) {
    this.parts = own;
    return this;
  }

  /** Adds filters in place of the one on all paths. */
  ServletAppBuilder filters(BiConsumer<ServletContext, Weir> own) {
    this.filters = own;
    return this;
  }

  /** Sets the contents of web.xml. */
  ServletAppBuilder webXml(String elements) {
    this.webXml = elements;
    return this;
  }

  /** Registers a filter for a pattern and all dispatches, after the existing ones. */
  static FilterRegistration.Dynamic filter(
      ServletContext context, String name, Filter filter, String pattern) {
    FilterRegistration.Dynamic registration = context.addFilter(name, filter);
    registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, pattern);
    registration.setAsyncSupported(true);
    return registration;
  }

  ServletApp start() throws Exception {
    WeirBuilder builder = Weir.builder().ticker(ticker).settings(settings);
    parts.accept(builder);
    Weir weir = builder.build();
    Path directory = WebAppDirectories.webApp(webXml);
    try {
      return new ServletApp(
          server.start(
              directory,
              (types, context) -> {
                filters.accept(context, weir);
                registrations.forEach(each -> each.accept(context));
                // Not every server of the tests finds it as a service.
                new WeirInitializer().onStartup(types, context);
              }),
          weir,
          ticker,
          directory);
    } catch (Exception failed) {
      weir.close();
      WebAppDirectories.delete(directory);
      throw failed;
    }
  }
}
