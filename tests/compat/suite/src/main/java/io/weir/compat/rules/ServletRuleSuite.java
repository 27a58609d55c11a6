package io.weir.compat.rules;

import io.weir.Weir;
import io.weir.compat.servlet.RuleServlets;
import io.weir.compat.servlet.ServletServer;
import java.net.URI;

/** Tests rules for servlets; a subclass chooses the server. */
public abstract class ServletRuleSuite extends HttpRuleSuite implements ServletServer {
  @Override
  final RuleApp.Serving start(Weir weir) throws Exception {
    Running server = RuleServlets.start(this, weir);
    return new RuleApp.Serving(
        URI.create("http://127.0.0.1:" + server.port() + ServletServer.CONTEXT), server.stop());
  }

  @Override
  public final boolean hasTemplates() {
    return false;
  }
}
