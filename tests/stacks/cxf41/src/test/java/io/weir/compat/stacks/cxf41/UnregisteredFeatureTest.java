package io.weir.compat.stacks.cxf41;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import io.weir.compat.servlet.ServletMappingContract.Warnings;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.WeirInitializer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an application on CXF that has forgotten the feature hears of it. */
class UnregisteredFeatureTest {
  @TempDir java.nio.file.Path directory;

  /** A resource of the application. */
  @Path("/")
  public static final class Resource {
    @GET
    @RateLimit(limit = 1, window = 60)
    public String get() {
      return "";
    }
  }

  /** Names the classes, since CXF doesn't scan for them. */
  private static final class Resources extends jakarta.ws.rs.core.Application {
    private final Set<Class<?>> classes;

    Resources(Set<Class<?>> classes) {
      this.classes = classes;
    }

    @Override
    public Set<Class<?>> getClasses() {
      return classes;
    }
  }

  @Test
  void namesTheResourcesThatNothingLimits() throws Exception {
    List<String> errors = errors(List.of("/one"), Set.of(Resource.class));
    assertEquals(1, errors.size(), errors::toString);
    String expected = "The annotations of the resources " + Resource.class.getName() + " limit";
    assertTrue(errors.get(0).startsWith(expected), errors::toString);
  }

  @Test
  void namesNothingWhereTheFeatureIsRegistered() throws Exception {
    assertEquals(
        List.of(), errors(List.of("/one"), Set.of(Resource.class, RateLimitFeature.class)));
  }

  @Test
  void namesNothingBeforeAllApplicationsHaveStarted() throws Exception {
    assertEquals(List.of(), errors(List.of("/one", "/two"), Set.of(Resource.class)));
  }

  /** Serves two requests for the first of the paths, each of which has an application. */
  private List<String> errors(List<String> paths, Set<Class<?>> classes) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    for (String each : paths) {
      Tomcat.addServlet(context, each, new CXFNonSpringJaxrsServlet(new Resources(classes)))
          .addMapping(each + "/*");
    }
    context.addServletContainerInitializer(new WeirInitializer(), Set.of(Resource.class));
    try (Warnings warnings = new Warnings()) {
      tomcat.start();
      URI address = URI.create("http://127.0.0.1:" + connector.getLocalPort() + paths.get(0));
      HttpRequest request = HttpRequest.newBuilder(address).build();
      for (int i = 0; i < 2; i++) {
        HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
      }
      tomcat.stop(); // ends the requests
      return warnings.of("", Level.SEVERE);
    } finally {
      tomcat.destroy();
    }
  }
}
