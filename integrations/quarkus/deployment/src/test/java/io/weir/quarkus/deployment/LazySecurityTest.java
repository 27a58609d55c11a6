package io.weir.quarkus.deployment;

import io.quarkus.test.QuarkusUnitTest;
import io.weir.seeds.DeepOnly;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quarkus Security reads the credential of a request where something asks for the user. */
@DeepOnly
class LazySecurityTest extends SecurityChecks {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application().overrideConfigKey("quarkus.http.auth.proactive", "false");
}
