package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Vert.x HTTP. */
class WaitingHttpServerTest extends WaitingServer {
  @RegisterExtension static final QuarkusUnitTest APPLICATION = application(false);
}
