package io.weir.quarkus.grpc;

import static io.grpc.Status.Code.UNAVAILABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.grpc.talk.Talk;
import io.weir.seeds.OneDayIn;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A service whose store never answers. */
@OneDayIn(2)
class AwayStoreTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(
              jar ->
                  jar.addPackage(Talk.class.getPackage())
                      .addClasses(AwayStore.class, Caller.class, Counting.class, ServerPorts.class))
          .overrideRuntimeConfigKey("quarkus.grpc.server.test-port", ServerPorts.free())
          .overrideRuntimeConfigKey("weir.store.timeout", "200ms");

  /** Never answers. */
  @Singleton
  public static class AwayStore implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return new CompletableFuture<>();
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @TestHTTPResource URI base;

  @Test
  void aMethodThatMustAskTheStoreIsUnavailable() throws Exception {
    ManagedChannel channel = ServerPorts.connect(base);
    Caller caller = new Caller(channel, new Metadata());
    for (int i = 0; i < 10; i++) {
      assertEquals(UNAVAILABLE, caller.lecture());
    }
    assertEquals(List.of(), List.copyOf(Counting.CALLS));
    channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
  }
}
