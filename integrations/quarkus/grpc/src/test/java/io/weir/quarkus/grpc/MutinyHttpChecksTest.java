package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import io.weir.seeds.OneDayIn;
import org.junit.jupiter.api.extension.RegisterExtension;

@OneDayIn(2)
class MutinyHttpChecksTest extends CheckedServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION = application(false, MutinyChecks.class);

  @Override
  String stack() {
    return "Quarkus gRPC on Vert.x HTTP, Mutiny";
  }
}
