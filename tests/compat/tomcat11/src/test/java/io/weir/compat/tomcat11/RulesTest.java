package io.weir.compat.tomcat11;

import io.weir.compat.rules.ServletRuleSuite;
import io.weir.compat.servlet.TomcatServer;

class RulesTest extends ServletRuleSuite implements TomcatServer {}
