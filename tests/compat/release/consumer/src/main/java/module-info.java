/** A shop, limited by Weir. */
module org.example.shop {
  requires io.weir;
  requires io.weir.annotation;
  requires java.net.http;
  requires org.apache.tomcat.embed.core;

  // What Weir is made of, and what its jars can't ask for: they only have names.
  requires com.github.benmanes.caffeine;
  requires inet.ipaddr;

  opens org.example.shop;
}
