package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.kotlin.AbstractCoroutineServerImpl;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.MutinyBean;
import io.quarkus.grpc.MutinyService;
import io.weir.annotation.RateLimit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;

class GrpcServiceIndexTest {
  /** As Quarkus generates it. */
  interface Greeter extends MutinyService {
    @RateLimit(limit = 1, window = 60)
    default void greet() {}
  }

  /** As Quarkus generates it. */
  static class GreeterBean implements MutinyBean {
    @GrpcService Greeter delegate;
  }

  @GrpcService
  static class Polite implements Greeter {}

  /** As grpc-kotlin generates it. */
  abstract static class GreeterCoroutines extends AbstractCoroutineServerImpl {}

  @GrpcService
  @RateLimit(limit = 1, window = 60)
  static class Suspending extends GreeterCoroutines {}

  @GrpcService
  static class Unlimited extends GreeterCoroutines {}

  private static GrpcServiceIndex index(Class<?>... classes) throws IOException {
    return new GrpcServiceIndex(Index.of(classes));
  }

  @Test
  void findsTheClassBehindAGeneratedOne() throws IOException {
    assertEquals(
        Map.of(
            Polite.class.getName(),
            Polite.class.getName(),
            GreeterBean.class.getName(),
            Polite.class.getName()),
        index(Greeter.class, GreeterBean.class, Polite.class).annotated());
  }

  @Test
  void findsLimitedServicesAndThoseOfCoroutines() throws IOException {
    assertEquals(
        List.of(Polite.class.getName() + " false", Suspending.class.getName() + " true"),
        index(
                Greeter.class,
                Polite.class,
                GreeterCoroutines.class,
                Suspending.class,
                Unlimited.class)
            .limited()
            .map(each -> each.name() + " " + each.isCoroutine())
            .sorted()
            .toList());
  }
}
