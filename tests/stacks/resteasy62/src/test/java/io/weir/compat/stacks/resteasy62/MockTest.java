package io.weir.compat.stacks.resteasy62;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.BoundRequest;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.mock.MockHttpRequest;
import org.jboss.resteasy.mock.MockHttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests RESTEasy without any server, in the thread of the test. */
class MockTest {
  private final ResteasyDeploymentImpl deployment = new ResteasyDeploymentImpl();

  @Path("/")
  public static class Posts {
    @GET
    @Path("limited")
    @RateLimit(limit = 3, window = 3600, by = By.ENDPOINT, name = "limited")
    public String limited() {
      return "limited";
    }

    @GET
    @Path("failing")
    @RateLimit(limit = 3, window = 3600, by = By.ENDPOINT, name = "failing")
    public String failing() {
      throw new IllegalStateException("on purpose");
    }
  }

  @Path("one")
  public static class One {
    @GET
    @RateLimit(limit = 0, window = 60)
    public String zero() {
      return "";
    }
  }

  @Path("other")
  public static class Other {
    @GET
    @RateLimit(limit = 1, window = 60, overshoot = 101)
    public String overshoot() {
      return "";
    }
  }

  /** An application of given parts. */
  private static final class Parts extends Application {
    private final Set<Class<?>> classes;
    private final Set<Object> instances;

    Parts(Set<Class<?>> classes, Object... instances) {
      this.classes = classes;
      this.instances = Set.of(instances);
    }

    @Override
    public Set<Class<?>> getClasses() {
      return classes;
    }

    @SuppressWarnings("deprecation") // the only way to give instances
    @Override
    public Set<Object> getSingletons() {
      return instances;
    }
  }

  @AfterEach
  void stop() {
    deployment.stop();
  }

  private void start(Application application) {
    deployment.setApplication(application);
    deployment.start();
  }

  private List<Integer> statuses(String path, int times) {
    return Stream.generate(() -> status(path)).limit(times).toList();
  }

  private int status(String path) {
    try {
      MockHttpResponse response = new MockHttpResponse();
      deployment.getDispatcher().invoke(MockHttpRequest.get(path), response);
      return response.getStatus();
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void limitsAnApplicationThatRegistersNothing() {
    start(new Parts(Set.of(Posts.class)));
    assertEquals(List.of(200, 200, 200, 429), statuses("/limited", 4));
    Weir.application().close();
  }

  @Test
  void leavesTheLimitToAFeatureThatIsRegistered() {
    try (Weir weir = Weir.builder().settings(Map.of("weir.policy.limited.limit", "2")).build()) {
      start(new Parts(Set.of(Posts.class), new RateLimitFeature(weir)));
      assertEquals(List.of(200, 200, 429), statuses("/limited", 3));
    }
  }

  @Test
  void reportsTheMistakesOfAllClassesAtOnce() {
    Throwable refused =
        assertThrows(
            RuntimeException.class,
            () -> start(new Parts(Set.of(One.class, Other.class, RateLimitFeature.class))));
    StringBuilder messages = new StringBuilder();
    for (Throwable each = refused; each != null; each = each.getCause()) {
      messages.append(each).append('\n');
    }
    assertTrue(messages.toString().contains("One#zero"), messages::toString);
    assertTrue(messages.toString().contains("Other#overshoot"), messages::toString);
  }

  @Test
  void theThreadKeepsNoRequestWhateverItsEnd() {
    try (Weir weir = Weir.builder().build()) {
      start(new Parts(Set.of(Posts.class), new RateLimitFeature(weir)));
      for (String path : List.of("/limited", "/failing", "/missing")) {
        var unused = statuses(path, 5);
        assertEquals(false, BoundRequest.get().isPresent(), path);
      }
    }
  }
}
