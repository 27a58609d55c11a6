package io.weir.control;

import io.weir.Weir;
import io.weir.rules.Rules;

/** The servlet on Tomcat, mapped to the version. */
class TomcatTest extends ControlSuite {
  @Override
  public Server start(Weir weir, Rules rules) {
    return TomcatServer.start(weir, rules, "", "/v1/*");
  }
}
