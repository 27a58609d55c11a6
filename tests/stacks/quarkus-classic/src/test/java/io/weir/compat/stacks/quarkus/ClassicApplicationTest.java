package io.weir.compat.stacks.quarkus;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quarkus Security signs in before RESTEasy has a request. */
class ClassicApplicationTest extends ClassicApplicationChecks {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application().overrideConfigKey("quarkus.http.auth.proactive", "true");
}
