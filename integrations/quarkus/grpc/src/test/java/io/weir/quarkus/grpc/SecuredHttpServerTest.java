package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import io.weir.seeds.OneDayIn;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Vert.x HTTP, credentials are read by gRPC. */
@OneDayIn(2)
class SecuredHttpServerTest extends SecuredServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application(false, GuestMechanism.class)
          .overrideConfigKey("quarkus.http.auth.basic", "false");
}
