package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.quarkus.grpc.GrpcService;
import io.quarkus.test.QuarkusUnitTest;
import io.weir.annotation.RateLimit;
import io.weir.seeds.OneDayIn;
import jakarta.ws.rs.GET;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@OneDayIn(2)
class UnlimitedTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(
              jar -> jar.addClasses(Plain.class, Remote.class, Greeter.class, Limited.class))
          .assertException(UnlimitedTest::names);

  private static void names(Throwable failure) {
    StringWriter all = new StringWriter();
    failure.printStackTrace(new PrintWriter(all));
    for (Class<?> each : new Class<?>[] {Plain.class, Remote.class, Greeter.class}) {
      assertTrue(all.toString().contains(each.getName()), () -> each + " in " + all);
    }
  }

  /** Neither a resource nor a bean. */
  public static class Plain {
    @RateLimit(limit = 1, window = 60)
    public void run() {}
  }

  /** A resource of another application. */
  @RegisterRestClient
  public interface Remote {
    @GET
    @RateLimit(limit = 1, window = 60)
    String ask();
  }

  /** A service of Quarkus' gRPC server. */
  @GrpcService
  public static class Greeter extends Limited {}

  /** Has the limit of a service. */
  public abstract static class Limited {
    @RateLimit(limit = 1, window = 60)
    public void greet() {}
  }

  @Test
  void failsTheBuildWhereALimitWouldHaveNoEffect() {
    fail("the application has started");
  }
}
