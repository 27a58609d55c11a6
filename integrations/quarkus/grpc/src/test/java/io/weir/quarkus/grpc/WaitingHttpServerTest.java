package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import io.weir.seeds.OneDayIn;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Vert.x HTTP. */
@OneDayIn(2)
class WaitingHttpServerTest extends WaitingServer {
  @RegisterExtension static final QuarkusUnitTest APPLICATION = application(false);
}
