package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a server of its own. */
class WaitingServerTest extends WaitingServer {
  @RegisterExtension static final QuarkusUnitTest APPLICATION = application(true);
}
