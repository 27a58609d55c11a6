package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

class MutinyChecksTest extends CheckedServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION = application(true, MutinyChecks.class);

  @Override
  String stack() {
    return "Quarkus gRPC, Mutiny";
  }
}
