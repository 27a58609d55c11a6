package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import io.weir.seeds.OneDayIn;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a server of its own, credentials are read by gRPC. */
@OneDayIn(2)
class SecuredServerTest extends SecuredServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION = application(true, GuestMechanism.class);
}
