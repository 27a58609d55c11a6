package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import io.weir.grpc.Checked;
import io.weir.grpc.Talker;
import io.weir.seeds.OneDayIn;
import org.junit.jupiter.api.extension.RegisterExtension;

@OneDayIn(2)
class PlainHttpChecksTest extends CheckedServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application(false, PlainChecks.class, Checked.class, Talker.class);

  @Override
  String stack() {
    return "Quarkus gRPC on Vert.x HTTP";
  }
}
