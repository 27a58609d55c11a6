package io.weir.quarkus.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Vert.x HTTP, its sign-in reads the credential of each request before gRPC has it. */
class ProactiveHttpServerTest extends SecuredServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application(false)
          .overrideConfigKey("quarkus.http.auth.basic", "true")
          .overrideConfigKey("quarkus.http.auth.proactive", "true");

  /** A user that is known may be read without waiting, also after Weir has asked for it. */
  @Test
  void anEventLoopMayReadTheIdentity() throws Exception {
    assertEquals("kim", who("kim"));
  }
}
