package io.weir.quarkus.grpc;

import io.quarkus.test.QuarkusUnitTest;
import io.weir.seeds.OneDayIn;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On Vert.x HTTP, its sign-in reads credentials once somebody asks for the user. */
@OneDayIn(2)
class LazyHttpServerTest extends SecuredServer {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application(false)
          .overrideConfigKey("quarkus.http.auth.basic", "true")
          .overrideConfigKey("quarkus.http.auth.proactive", "false");
}
