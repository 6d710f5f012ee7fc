export default { script: [{ text: 'one' }] };
