package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a server of its own, credentials are read by gRPC. */
class SecuredServerTest extends SecuredServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION = application(true, GuestMechanism.class);
}
