package io.weir.compat.jetty121;

import io.weir.compat.servlet.ServletSpellingsContract;
import org.eclipse.jetty.http.UriCompliance;

/** Runs the tests on a Jetty that accepts more spellings of paths and can't decode some. */
class LenientJettyTest implements ServletSpellingsContract, JettyServer {
  @Override
  public UriCompliance uris() {
    return UriCompliance.UNSAFE;
  }
}
