package io.weir.quarkus.deployment;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quarkus Security reads the credential of each request before Quarkus REST has it. */
class SecurityTest extends SecurityChecks {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application().overrideConfigKey("quarkus.http.auth.proactive", "true");
}
