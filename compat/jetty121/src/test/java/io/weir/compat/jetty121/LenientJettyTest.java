package io.weir.compat.jetty121;

import io.weir.compat.servlet.ServletSpellingsContract;
import org.eclipse.jetty.http.UriCompliance;

/** More spellings pass here, and the container won't say what some of them mean. */
class LenientJettyTest implements ServletSpellingsContract, JettyServer {
  @Override
  public UriCompliance uris() {
    return UriCompliance.UNSAFE;
  }
}
