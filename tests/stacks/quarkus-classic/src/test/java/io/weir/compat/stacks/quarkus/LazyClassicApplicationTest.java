package io.weir.compat.stacks.quarkus;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quarkus Security signs in where something asks for the user. */
class LazyClassicApplicationTest extends ClassicApplicationChecks {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application().overrideConfigKey("quarkus.http.auth.proactive", "false");
}
