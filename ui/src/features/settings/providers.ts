import type { Protocol } from '../../api/generated/commands';

/** A service whose address is known. */
export interface Provider {
  id: string;
  /** Its own name, the same in every language. */
  name: string;
  protocol: Protocol;
  baseUrl: string;
}

/** Services with their public addresses, and servers on this machine with the ports that they choose by themselves. */
export const providers: readonly Provider[] = [
  { id: 'openai', name: 'OpenAI', protocol: 'openAi', baseUrl: 'https://api.openai.com/v1' },
  { id: 'anthropic', name: 'Anthropic', protocol: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  { id: 'gemini', name: 'Google Gemini', protocol: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' },
  { id: 'deepseek', name: 'DeepSeek', protocol: 'openAi', baseUrl: 'https://api.deepseek.com/v1' },
  { id: 'qwen', name: 'Qwen (DashScope)', protocol: 'openAi', baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
  { id: 'moonshot', name: 'Moonshot (Kimi)', protocol: 'openAi', baseUrl: 'https://api.moonshot.cn/v1' },
  { id: 'openrouter', name: 'OpenRouter', protocol: 'openAi', baseUrl: 'https://openrouter.ai/api/v1' },
  { id: 'ollama', name: 'Ollama', protocol: 'openAi', baseUrl: 'http://127.0.0.1:11434/v1' },
  { id: 'lmstudio', name: 'LM Studio', protocol: 'openAi', baseUrl: 'http://127.0.0.1:1234/v1' },
  { id: 'llamacpp', name: 'llama.cpp', protocol: 'openAi', baseUrl: 'http://127.0.0.1:8080/v1' },
  { id: 'vllm', name: 'vLLM', protocol: 'openAi', baseUrl: 'http://127.0.0.1:8000/v1' },
];

/** The service that an address is of. */
export function providerOf(address: string, protocol: Protocol): Provider | undefined {
  const base = address.trim().replace(/\/+$/, '');
  return providers.find((provider) => provider.baseUrl === base && provider.protocol === protocol);
}
