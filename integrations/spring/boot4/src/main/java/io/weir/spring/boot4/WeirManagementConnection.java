package io.weir.spring.boot4;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.context.annotation.Import;

/**
 * Has the server of a management port of its own keep the address of the connection, for the
 * filters of Weir that an application registers there.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@Import({
  WeirConnectionAutoConfiguration.Tomcats.class,
  WeirConnectionAutoConfiguration.Jetties.class,
  WeirConnectionAutoConfiguration.Netties.class
})
public class WeirManagementConnection {}
